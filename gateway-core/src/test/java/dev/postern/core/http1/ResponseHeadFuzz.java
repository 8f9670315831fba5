package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.Splits;
import dev.postern.core.fuzz.StrictHead;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.Method;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http1.client.ResponseHeadParser;
import dev.postern.core.http1.codec.HeadWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Fuzzes the parser of responses (RFC 9112 sections 4 to 6) for each kind of request. The result does not depend on how the bytes are split,
 * equals the result of the grammar, and the head sent to the client parses to the same fields.
 */
public final class ResponseHeadFuzz {

    private static final int LIMIT = 2048;
    private static final List<Method> ASKED = List.of(Method.GET, Method.HEAD, Method.CONNECT);

    private ResponseHeadFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a head was accepted. */
    public static boolean accepts(byte[] input) {
        boolean accepted = false;
        for (Method method : ASKED) {
            accepted |= accepts(input, method);
        }
        return accepted;
    }

    private static boolean accepts(byte[] input, Method method) {
        ParsedHead<ResponseHead> whole = scan(List.of(input), method);
        FuzzCheck.equal(scan(Splits.of(input), method).describe(), whole.describe(), "the same result for split bytes");
        ResponseHead head = whole.head();
        if (head == null) {
            return false;
        }
        StrictHead strict = StrictHead.read(new String(input, 0, whole.consumed(), ISO_8859_1));
        List<String> line = strict == null ? null : strict.status();
        if (strict == null || line == null) {
            throw new AssertionError("accepted, and no head by the grammar");
        }
        FuzzCheck.equal(head.minorVersion(), line.get(0).equals("0") ? 0 : 1, "the version");
        FuzzCheck.equal(Integer.toString(head.status()), line.get(1), "the status");
        FuzzCheck.equal(ParsedHead.fields(head), kept(strict, head.status(), method), "the fields");
        FuzzCheck.equal(head.bodyLength(), framed(strict, head.status(), method), "the length of the body");
        checkForwarded(head, method);
        return true;
    }

    private static ParsedHead<ResponseHead> scan(List<byte[]> pieces, Method method) {
        ResponseHeadParser parser = new ResponseHeadParser(new HeadLimits(LIMIT, 256, 32));
        parser.method(method);
        return ParsedHead.of(parser, new ResponseHead(), pieces);
    }

    private static boolean bodiless(int status, Method method) {
        return method.equals(Method.HEAD)
                || status < 200
                || status == 204
                || status == 304
                || (method.equals(Method.CONNECT) && status < 300);
    }

    /** Returns the fields with one length at the end instead of several equal ones, and without one that says nothing beside a coding. */
    private static List<String> kept(StrictHead head, int status, Method method) {
        List<String> lengths = lengths(head);
        boolean coded =
                bodiless(status, method) && !head.values("transfer-encoding").isEmpty();
        if (!coded && lengths.size() <= 1) {
            return head.fields();
        }
        List<String> kept = new ArrayList<>(head.fields());
        kept.removeIf(field -> field.toLowerCase(Locale.ROOT).startsWith("content-length:"));
        if (!coded) {
            kept.add("content-length: " + Long.parseLong(lengths.get(0)));
        }
        return kept;
    }

    /** Returns all lengths, which must be equal. */
    private static List<String> lengths(StrictHead head) {
        List<String> lengths = head.values("content-length").stream()
                .flatMap(value -> Arrays.stream(value.split("[\t ]*,[\t ]*", -1)))
                .toList();
        FuzzCheck.hold(lengths.stream().map(Long::parseLong).distinct().count() <= 1, "one length");
        return lengths;
    }

    /** Computes the body length by the rules of RFC 9112 section 6.3 in their order. */
    private static long framed(StrictHead head, int status, Method method) {
        List<String> codings = head.values("transfer-encoding");
        List<String> lengths = lengths(head);
        FuzzCheck.hold(codings.size() <= 1, "one coding at most");
        if (bodiless(status, method)) {
            return 0;
        }
        FuzzCheck.hold(codings.isEmpty() || lengths.isEmpty(), "framed once at most");
        if (!codings.isEmpty()) {
            FuzzCheck.hold(codings.get(0).equalsIgnoreCase("chunked"), "chunked alone");
            return ResponseHead.CHUNKED;
        }
        return lengths.isEmpty() ? ResponseHead.UNTIL_CLOSE : Long.parseLong(lengths.get(0));
    }

    /** Writes the head as for a client of HTTP/1.1. */
    private static void checkForwarded(ResponseHead head, Method method) {
        long length = head.bodyLength();
        HopByHop.strip(head);
        new Via("postern").add(head);
        ByteBuf out = new HeadWriter()
                .response(head, length < 0, HeadWriter.Afterwards.KEEP, 0, UnpooledByteBufAllocator.DEFAULT);
        if (out == null) {
            throw new AssertionError("a head that the last check does not pass");
        }
        String text = out.toString(ISO_8859_1);
        out.release();
        StrictHead strict = StrictHead.read(text);
        FuzzCheck.hold(strict != null && strict.status() != null, "a head by the grammar");
        ResponseHead reparsed = scan(List.of(text.getBytes(ISO_8859_1)), method).head();
        if (reparsed == null) {
            FuzzCheck.hold(text.length() > LIMIT, "what we write we refuse: " + text);
            return;
        }
        FuzzCheck.equal(reparsed.status(), head.status(), "the status there and back");
        FuzzCheck.equal(reparsed.bodyLength(), length < 0 ? ResponseHead.CHUNKED : length, "the length there and back");
        List<String> meant = ParsedHead.fields(head);
        if (length < 0) {
            meant.add("transfer-encoding: chunked");
        }
        FuzzCheck.equal(ParsedHead.fields(reparsed), meant, "the fields there and back");
    }
}
