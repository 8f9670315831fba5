package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.Must;
import dev.postern.core.fuzz.Splits;
import dev.postern.core.fuzz.StrictHead;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Method;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http1.client.ResponseHeadParser;
import dev.postern.core.http1.codec.HeadLimits;
import dev.postern.core.http1.codec.HeadWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;

/**
 * The scanner of responses (RFC 9112 sections 4 to 6), whatever they answer: the same however the bytes are cut; what it takes is what the
 * grammar reads there; and what the client gets of it reads as it was meant.
 */
public final class ResponseHeadFuzz {

    private static final int LIMIT = 2048;
    private static final List<Method> ASKED = List.of(Method.GET, Method.HEAD, Method.CONNECT);

    private ResponseHeadFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether a head was accepted. */
    public static boolean accepts(byte[] input) {
        boolean accepted = false;
        for (Method asked : ASKED) {
            accepted |= accepts(input, asked);
        }
        return accepted;
    }

    private static boolean accepts(byte[] input, Method asked) {
        Scanned<ResponseHead> whole = scan(List.of(input), asked);
        Must.equal(scan(Splits.of(input), asked).told(), whole.told(), "one reading however it is cut");
        ResponseHead head = whole.head();
        if (head == null) {
            return false;
        }
        StrictHead strict = StrictHead.read(new String(input, 0, whole.consumed(), ISO_8859_1));
        List<String> line = strict == null ? null : strict.status();
        if (strict == null || line == null) {
            throw new AssertionError("accepted, and no head by the grammar");
        }
        Must.equal(head.minorVersion(), line.get(0).equals("0") ? 0 : 1, "the version");
        Must.equal(Integer.toString(head.status()), line.get(1), "the status");
        Must.equal(Scanned.fields(head), strict.fields(), "the fields");
        Must.equal(head.bodyLength(), framed(strict, head.status(), asked), "the length of the body");
        goesOn(head, asked);
        return true;
    }

    private static Scanned<ResponseHead> scan(List<byte[]> pieces, Method asked) {
        ResponseHeadParser parser = new ResponseHeadParser(HeadLimits.of(LIMIT));
        parser.asked(asked);
        return Scanned.of(parser, new ResponseHead(), pieces);
    }

    /** RFC 9112 section 6.3, its rules in their order. */
    private static long framed(StrictHead head, int status, Method asked) {
        List<String> codings = head.values("transfer-encoding");
        List<String> lengths = head.values("content-length");
        Must.hold(codings.size() + lengths.size() <= 1, "framed once at most");
        if (asked.equals(Method.HEAD) || status < 200 || status == 204 || status == 304) {
            return 0;
        }
        if (asked.equals(Method.CONNECT) && status < 300) {
            return 0;
        }
        if (!codings.isEmpty()) {
            Must.hold(codings.get(0).equalsIgnoreCase("chunked"), "chunked alone");
            return ResponseHead.CHUNKED;
        }
        return lengths.isEmpty() ? ResponseHead.UNTIL_CLOSE : Long.parseLong(lengths.get(0));
    }

    /** As it goes to a client of HTTP/1.1. */
    private static void goesOn(ResponseHead head, Method asked) {
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
        Must.hold(strict != null && strict.status() != null, "a head by the grammar");
        ResponseHead again = scan(List.of(text.getBytes(ISO_8859_1)), asked).head();
        if (again == null) {
            Must.hold(text.length() > LIMIT, "what we write we refuse: " + text);
            return;
        }
        Must.equal(again.status(), head.status(), "the status there and back");
        Must.equal(again.bodyLength(), length < 0 ? ResponseHead.CHUNKED : length, "the length there and back");
        List<String> meant = Scanned.fields(head);
        if (length < 0) {
            meant.add("transfer-encoding: chunked");
        }
        Must.equal(Scanned.fields(again), meant, "the fields there and back");
    }
}
