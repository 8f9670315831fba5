package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.Splits;
import dev.postern.core.fuzz.StrictHead;
import dev.postern.core.fuzz.StrictHost;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.fuzz.StrictReadings;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.Method;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzes the parser of requests (RFC 9112 sections 2 to 6). The result does not depend on how the bytes are split, equals the result of the
 * grammar, and all readers agree on the forwarded head.
 */
public final class RequestHeadFuzz {

    /** Small enough that the fuzzer reaches it. */
    private static final int LIMIT = 2048;

    private RequestHeadFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether a head was accepted. */
    public static boolean accepts(byte[] input) {
        ParsedHead<RequestHead> whole = scan(List.of(input));
        FuzzCheck.equal(scan(Splits.of(input)).describe(), whole.describe(), "the same result for split bytes");
        checkForwardListener(input, whole);
        RequestHead head = whole.head();
        if (head == null) {
            return false;
        }
        FuzzCheck.hold(whole.consumed() <= LIMIT, "a head within its limit");
        StrictHead strict = StrictHead.read(new String(input, 0, whole.consumed(), ISO_8859_1));
        List<String> line = strict == null ? null : strict.request();
        if (strict == null || line == null) {
            throw new AssertionError("accepted, and no head by the grammar");
        }
        FuzzCheck.equal(head.method().name(), line.get(0), "the method");
        FuzzCheck.equal(head.minorVersion(), line.get(2).equals("0") ? 0 : 1, "the version");
        FuzzCheck.equal(
                ParsedHead.fields(head), normalizedFields(strict, line), "the fields, with Host in its one spelling");
        FuzzCheck.equal(head.bodyLength(), framed(strict, head.minorVersion()), "the length of the body");
        target(head, line.get(1), strict.values("host"));
        checkForwarded(head);
        return true;
    }

    private static ParsedHead<RequestHead> scan(List<byte[]> pieces) {
        return scan(pieces, false);
    }

    private static ParsedHead<RequestHead> scan(List<byte[]> pieces, boolean forward) {
        return ParsedHead.of(
                new RequestHeadParser(new HeadLimits(LIMIT, 256, 32), forward, false), new RequestHead(), pieces);
    }

    /** Checks that a forward listener accepts at least as much, for the same host, and that Host never names another one. */
    private static void checkForwardListener(byte[] input, ParsedHead<RequestHead> reverse) {
        RequestHead head = scan(List.of(input), true).head();
        RequestHead other = reverse.head();
        FuzzCheck.hold(head != null || other == null, "what a reverse listener accepts");
        if (head == null) {
            return;
        }
        String host = head.joined(FieldName.HOST);
        FuzzCheck.hold(host == null || host.equals(head.authority()), "Host that names the target");
        if (other != null) {
            FuzzCheck.equal(head.authority(), other.authority(), "the authority on a reverse listener");
        }
    }

    /** Computes the body length of RFC 9112 section 6.3; ambiguous framing is an error. */
    private static long framed(StrictHead head, int minorVersion) {
        List<String> codings = head.values("transfer-encoding");
        List<String> lengths = head.values("content-length");
        if (codings.isEmpty() && lengths.isEmpty()) {
            return RequestHead.NO_BODY;
        }
        FuzzCheck.hold(codings.size() + lengths.size() == 1, "framed once");
        if (lengths.isEmpty()) {
            FuzzCheck.hold(minorVersion > 0 && codings.get(0).equalsIgnoreCase("chunked"), "chunked alone, and in 1.1");
            return RequestHead.CHUNKED;
        }
        FuzzCheck.hold(lengths.get(0).matches("[0-9]{1,18}"), "digits alone");
        return Long.parseLong(lengths.get(0));
    }

    /** Returns the fields as received, but Host in its normal form; for CONNECT it is the target. */
    private static List<String> normalizedFields(StrictHead head, List<String> line) {
        List<String> fields = new ArrayList<>(head.fields());
        for (String host : head.values("host")) {
            boolean connect = line.get(0).equals("CONNECT");
            String normalizedFields =
                    connect ? StrictHost.of(line.get(1)) : host.isEmpty() ? host : StrictHost.of(host);
            if (!host.equals(normalizedFields)) {
                fields.removeIf(field -> field.toLowerCase(Locale.ROOT).startsWith("host:"));
                fields.add("host: " + normalizedFields);
            }
        }
        return fields;
    }

    private static void target(RequestHead head, String raw, List<String> hosts) {
        FuzzCheck.hold(hosts.size() <= 1 && hosts.size() >= head.minorVersion(), "one Host");
        @Nullable String host = hosts.isEmpty() || hosts.get(0).isEmpty() ? "" : StrictHost.of(hosts.get(0));
        if (raw.startsWith("/")) {
            int query = raw.indexOf('?');
            String path = query < 0 ? raw : raw.substring(0, query);
            @Nullable String expected = StrictPath.of(path);
            FuzzCheck.equal(head.path(), expected, "the path in its normal form");
            FuzzCheck.equal(head.sentPath(), path, "the path as it came");
            FuzzCheck.equal(PathReadings.of(path), StrictReadings.of(path), "what servers take the path for");
            FuzzCheck.equal(
                    PathReadings.of(head.path()), StrictReadings.of(head.path()), "the same of its normal form");
            FuzzCheck.hold(
                    !head.plainPath() || Set.of(path).equals(PathReadings.of(path)), "one reading of a plain path");
            FuzzCheck.equal(head.query(), query < 0 ? "" : raw.substring(query), "the query as it came");
            FuzzCheck.equal(head.authority(), host, "the authority");
        } else if (raw.equals("*")) {
            FuzzCheck.equal(head.method(), Method.OPTIONS, "a star for OPTIONS alone");
        } else if (head.method().equals(Method.CONNECT)) {
            FuzzCheck.equal(head.authority(), StrictHost.of(raw), "the destination");
        } else {
            String authority =
                    raw.substring(head.scheme().length() + "://".length()).split("[/?]", 2)[0];
            FuzzCheck.hold(raw.toLowerCase(Locale.ROOT).startsWith(head.scheme() + "://"), "an absolute target");
            FuzzCheck.equal(head.authority(), StrictHost.of(authority), "the authority of the target");
        }
    }

    /** Prepares and writes the head as a reverse listener does. */
    private static void checkForwarded(RequestHead head) {
        if (head.method().equals(Method.CONNECT)) {
            return;
        }
        String target = head.sentPath() + head.query();
        String normal = head.path() + head.query();
        HopByHop.strip(head);
        if (!head.has(FieldName.HOST)) {
            head.add(FieldName.HOST, head.authority().isEmpty() ? "app" : head.authority());
        }
        ForwardedFields.reverse(TestExchanges.UNTRUSTED, head, new Via("postern"));
        String written = HeadBytes.written(head, HeadBytes.MAX);
        FuzzCheck.hold(written.startsWith(head.method() + " " + target + " HTTP/1.1\r\n"), "the target as it came");
        RequestHead repeated = HeadBytes.read(written);
        FuzzCheck.hold(
                repeated != null && normal.equals(repeated.path() + repeated.query()),
                "the same path to the next gateway");
        head.sendNormalPath();
        FuzzCheck.hold(
                HeadBytes.written(head, HeadBytes.MAX).startsWith(head.method() + " " + normal + " HTTP/1.1\r\n"),
                "the normal form");
    }
}
