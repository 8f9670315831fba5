package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http2.codec.BoundedHpackDecoder;
import dev.postern.core.testing.FieldBlock;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which of :authority and Host counts (RFC 9113 section 8.3.1), as {@code TargetAndHostTest} does for HTTP/1.1. */
class RequestHeadMapperTest {

    private static final String GET = ":method GET~:scheme http~:path /~";
    private static final String UDP =
            ":method CONNECT~:protocol connect-udp~:scheme http~:path /.well-known/masque/udp/192.0.2.7/443/~";

    private final RequestHeaderBlock block = new RequestHeaderBlock(new HeadLimits(8192, 256, 32), RequestHead::new);

    /** Returns the error of a request, or null. */
    private @Nullable String fault(String lines, boolean forward) throws Http2Exception {
        return fault(lines, new RequestHeadMapper(forward, false));
    }

    private @Nullable String fault(String lines, RequestHeadMapper mapper) throws Http2Exception {
        List<String> fields = new ArrayList<>();
        for (String line : lines.replace("GET~", GET).replace("UDP~", UDP).split("~", -1)) {
            int blank = line.indexOf(' ');
            fields.add(blank < 0 ? line : line.substring(0, blank));
            fields.add(blank < 0 ? "" : line.substring(blank + 1));
        }
        new BoundedHpackDecoder(block)
                .decodeHeaders(1, Unpooled.wrappedBuffer(FieldBlock.of(fields.toArray(String[]::new))));
        RequestHeadMapper.Wrong wrong = mapper.complete(block, true, false);
        return wrong == null ? null : wrong.why();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ":method CONNECT~:authority h.example:443 | h.example:443",
                ":method CONNECT~:authority h.example:443~host h.example:443 | h.example:443",
                ":method CONNECT~:authority H.example.:443~host h.example | h.example:443",
                ":method CONNECT~:authority h.example:443~host proxy.example:3128 | h.example:443",
                ":method CONNECT~:authority h.example:443~host | h.example:443",
                ":method CONNECT~:authority [2001:db8::1]:443~host [::1] | [2001:db8::1]:443",
                "GET~:authority h.example~host proxy.example | h.example",
                "GET~:authority h.example:80~host h.example | h.example:80",
                "GET~host h.example | h.example",
                "GET~:authority h.example:~host h.example | h.example",
                "UDP~:authority proxy.example~host other.example | proxy.example",
            })
    void theAuthorityCountsOnForwardListeners(String lines, String authority) throws Http2Exception {
        assertThat(fault(lines, true)).isNull();
        assertThat(block.head().authority()).isEqualTo(authority);
        assertThat(block.head().joined(FieldName.HOST)).isEqualTo(authority);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ":method CONNECT~:authority h.example:443~host p.example~host p.example",
                ":method CONNECT~:authority h.example:443~host u@p.example",
                ":method CONNECT~:authority h.example:443~host p.example:0",
                ":method CONNECT~:authority h.example:443~host p.example/",
                ":method CONNECT~host h.example:443",
                ":method CONNECT~:authority h.example:~host h.example:443",
                ":method CONNECT~:authority h.example~host h.example:443",
                "GET~:authority h.example~host :80",
                "GET~host",
                "GET~x-a b",
            })
    void anUnusableHostIsAnErrorOnAllListeners(String lines) throws Http2Exception {
        assertThat(fault(lines, true)).isNotNull();
        assertThat(fault(lines, false)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "GET~:authority h.example~host p.example",
        "GET~:authority h.example~host h.example:81",
        "GET~:authority h.example~host",
        "UDP~:authority h.example~host p.example",
    })
    void bothMustAgreeOnReverseListeners(String lines) throws Http2Exception {
        assertThat(fault(lines, false)).isEqualTo("Host and target differ");
    }

    @ParameterizedTest
    @CsvSource({"http, true, true", "https, true, true", "http, false, true", "https, false, false", "ftp, true, false"
    })
    void httpsNeedsAClientThatMayUseTls(String scheme, boolean maybeSecure, boolean accepted) throws Http2Exception {
        String lines = ":method HEAD~:scheme " + scheme + "~:path /~:authority h.example";
        assertThat(fault(lines, new RequestHeadMapper(false, maybeSecure))).isEqualTo(accepted ? null : "scheme");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ":method ABCDEFGHIJKLMNOPQRSTUVWX~:scheme http~:path /~:authority h | -",
                ":method ABCDEFGHIJKLMNOPQRSTUVWXY~:scheme http~:path /~:authority h | method",
                ":method~:scheme http~:path /~:authority h | method",
                ":method HEAD~:scheme~:path /~:authority h | scheme",
                ":method HEAD~:scheme h ttp~:path /~:authority h | scheme",
                ":method HEAD~:scheme http~:path~:authority h | path",
                ":method HEAD~:scheme http~:path page~:authority h | path",
                ":method OPTIONS~:scheme http~:path *~:authority h | -",
                ":method OPTIONS~:scheme http~:path *a~:authority h | path",
                ":method HEAD~:scheme http~:path *~:authority h | path",
                ":method CONNECT~:authority h:443 | -",
                ":method CONNECT~:authority h:443~:scheme http | CONNECT by its authority alone",
                ":method CONNECT~:authority h:443~:path / | CONNECT by its authority alone",
                ":method CONNECT~host h:443 | CONNECT by its authority alone",
                ":method CONNECT~:authority h | CONNECT without a port",
                ":method CONNECT~:protocol websocket~:scheme http~:path /~:authority h | -",
                ":method HEAD~:protocol websocket~:scheme http~:path /~:authority h | protocol",
                ":method CONNECT~:protocol websocket~:path /~:authority h | protocol",
                ":method CONNECT~:protocol websocket~:scheme http~:authority h | protocol",
                ":method CONNECT~:protocol websocket~:scheme http~:path / | protocol",
                ":method CONNECT~:protocol web socket~:scheme http~:path /~:authority h | protocol",
                ":method CONNECT~:protocol w~:protocol w~:scheme http~:path /~:authority h | protocol",
                ":method CONNECT~:protocol w~:scheme http~:path /~:authority h~content-length 0 | Content-Length of a tunnel",
                ":method HEAD~:scheme http~:path /~:authority h~content-length 1 | Content-Length without a body",
                ":method HEAD~:scheme http~:path /~:authority h~content-length 0 | -",
                ":method HEAD~:scheme http~:path /~:authority h~expect magic | expectation",
            })
    void namesTheError(String lines, String error) throws Http2Exception {
        assertThat(String.valueOf(fault(lines, false))).isEqualTo(error.equals("-") ? "null" : error);
    }
}
