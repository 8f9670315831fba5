package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.fuzz.Asking;
import dev.postern.core.fuzz.Must;
import dev.postern.core.fuzz.Splits;
import dev.postern.core.fuzz.StrictHead;
import dev.postern.core.fuzz.StrictHost;
import dev.postern.core.fuzz.StrictPath;
import dev.postern.core.fuzz.StrictReadings;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.codec.HeadLimits;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scanner of requests (RFC 9112 sections 2 to 6): the same however the bytes are cut; what it takes is what the grammar reads there;
 * and what goes on of it is read by everybody alike.
 */
public final class RequestHeadFuzz {

    /** Within reach of the fuzzer. */
    private static final int LIMIT = 2048;

    private RequestHeadFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether a head was accepted. */
    public static boolean accepts(byte[] input) {
        Scanned<RequestHead> whole = scan(List.of(input));
        Must.equal(scan(Splits.of(input)).told(), whole.told(), "one reading however it is cut");
        RequestHead head = whole.head();
        if (head == null) {
            return false;
        }
        Must.hold(whole.consumed() <= LIMIT, "a head within its limit");
        StrictHead strict = StrictHead.read(new String(input, 0, whole.consumed(), ISO_8859_1));
        List<String> line = strict == null ? null : strict.request();
        if (strict == null || line == null) {
            throw new AssertionError("accepted, and no head by the grammar");
        }
        Must.equal(head.method().name(), line.get(0), "the method");
        Must.equal(head.minorVersion(), line.get(2).equals("0") ? 0 : 1, "the version");
        Must.equal(Scanned.fields(head), spelled(strict), "the fields, with Host in its one spelling");
        Must.equal(head.bodyLength(), framed(strict, head.minorVersion()), "the length of the body");
        target(head, line.get(1), strict.values("host"));
        goesOn(head);
        return true;
    }

    private static Scanned<RequestHead> scan(List<byte[]> pieces) {
        return Scanned.of(new RequestHeadParser(HeadLimits.of(LIMIT), false), new RequestHead(), pieces);
    }

    /** RFC 9112 section 6.3, where whatever is doubtful is an error. */
    private static long framed(StrictHead head, int minorVersion) {
        List<String> codings = head.values("transfer-encoding");
        List<String> lengths = head.values("content-length");
        if (codings.isEmpty() && lengths.isEmpty()) {
            return RequestHead.NO_BODY;
        }
        Must.hold(codings.size() + lengths.size() == 1, "framed once");
        if (lengths.isEmpty()) {
            Must.hold(minorVersion > 0 && codings.get(0).equalsIgnoreCase("chunked"), "chunked alone, and in 1.1");
            return RequestHead.CHUNKED;
        }
        Must.hold(lengths.get(0).matches("[0-9]{1,18}"), "digits alone");
        return Long.parseLong(lengths.get(0));
    }

    private static List<String> spelled(StrictHead head) {
        List<String> fields = new ArrayList<>(head.fields());
        for (String host : head.values("host")) {
            String spelled = host.isEmpty() ? host : StrictHost.of(host);
            if (!host.equals(spelled)) {
                fields.removeIf(field -> field.toLowerCase(Locale.ROOT).startsWith("host:"));
                fields.add("host: " + spelled);
            }
        }
        return fields;
    }

    private static void target(RequestHead head, String raw, List<String> hosts) {
        Must.hold(hosts.size() <= 1 && hosts.size() >= head.minorVersion(), "one Host");
        @Nullable String host = hosts.isEmpty() || hosts.get(0).isEmpty() ? "" : StrictHost.of(hosts.get(0));
        if (raw.startsWith("/")) {
            int query = raw.indexOf('?');
            String path = query < 0 ? raw : raw.substring(0, query);
            @Nullable String expected = StrictPath.of(path);
            Must.equal(head.path(), expected, "the path in its normal form");
            Must.equal(readings(head), StrictReadings.of(head.path()), "what servers take the path for");
            Must.equal(head.query(), query < 0 ? "" : raw.substring(query), "the query as it came");
            Must.equal(head.authority(), host, "the authority");
        } else if (raw.equals("*")) {
            Must.equal(head.method(), Method.OPTIONS, "a star for OPTIONS alone");
        } else if (head.method().equals(Method.CONNECT)) {
            Must.equal(head.authority(), StrictHost.of(raw), "the destination");
        } else {
            String authority =
                    raw.substring(head.scheme().length() + "://".length()).split("[/?]", 2)[0];
            Must.hold(raw.toLowerCase(Locale.ROOT).startsWith(head.scheme() + "://"), "an absolute target");
            Must.equal(head.authority(), StrictHost.of(authority), "the authority of the target");
        }
    }

    private static Set<String> readings(RequestHead head) {
        Set<String> readings = new LinkedHashSet<>(head.otherReadings());
        readings.add(head.path());
        return readings;
    }

    /** As a reverse listener does it. */
    private static void goesOn(RequestHead head) {
        if (head.method().equals(Method.CONNECT)) {
            return;
        }
        String target = head.path() + head.query();
        HopByHop.strip(head);
        if (!head.has(FieldName.HOST)) {
            head.add(FieldName.HOST, head.authority().isEmpty() ? "app" : head.authority());
        }
        ForwardedFields.reverse(Asking.STRANGER, head, new Via("postern"));
        String written = HeadBytes.written(head, HeadBytes.MAX);
        Must.hold(written.startsWith(head.method() + " " + target + " HTTP/1.1\r\n"), "the target as it was matched");
        RequestHead repeated = HeadBytes.read(written);
        Must.hold(repeated != null && target.equals(repeated.path() + repeated.query()), "a path that stays as it is");
    }
}
