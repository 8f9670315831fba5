package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that expect 100 (Continue) before they send a body: the upstream decides, and neither connection is used again while it is in
 * doubt whether the body comes.
 */
class ExpectIT extends GatewayBeforeOrigins {

    private static final String POST =
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
    private static final String FIELD = "\r\nexpect: 100-continue\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private static String lower(String head) {
        return head.toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                POST,
                "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: h\r\nExpect:100-continue\r\nTransfer-Encoding: chunked\r\n\r\n",
            })
    void theUpstreamAsksForTheBody(String request) {
        boolean chunked = request.contains("chunked");
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(request);
            Line line = origin.accept();
            assertThat(lower(line.readHead())).containsOnlyOnce("expect").contains(FIELD);
            line.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(103);
            line.send(CONTINUE);
            assertThat(client.read().status()).isEqualTo(100);
            client.send(chunked ? "4\r\nbody\r\n0\r\n\r\n" : "body");
            assertThat(line.readUntil(chunked ? "0\r\n\r\n" : "body")).contains("body");
            line.ok("done");
            assertThat(client.read().body()).isEqualTo("done");
            client.send(GET);
            assertThat(lower(line.readHead())).doesNotContain("expect");
            line.ok("same connections");
            assertThat(client.read().body()).isEqualTo("same connections");
        }
    }

    @Test
    void theDestinationOfAForwardProxyDecides() {
        try (RawClient client = new RawClient(gateway().forwardPort())) {
            client.send(POST.replace(" / ", " http://" + origin.address() + "/ ")
                    .replace("Host: h", "Host: " + origin.address()));
            Line line = origin.accept();
            assertThat(lower(line.readHead())).contains(FIELD);
            line.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(401);
        }
    }

    // ---- HTTP/2
}
