package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that end their output by FIN: they have gone, unless {@link HalfClose#ALLOW} says that they still read (ADR 43). */
class HalfClosedClientsIT extends GatewayBeforeOrigins {

    private void assertAllEnded(int exchanges) {
        await().until(() -> gateway().ended().size() == exchanges);
        await().until(() -> gateway().server().connections() == 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab",
                "GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
            })
    void cancelsTheUpstreamThatIsWorking(String request) {
        try (RawClient client = client()) {
            client.send(request);
            Line line = acceptRequest();
            if (request.endsWith("ab")) {
                assertThat(line.read(2)).isEqualTo("ab");
            }
            client.finish();
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.closedByPeer()).isTrue();
            assertAllEnded(1);
        }
    }

    /** The gateway reads no further while the upstream takes nothing. */
    @Test
    void noticesTheEndBehindABodyThatNobodyTakes() {
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n");
            acceptRequest();
            client.send("x".repeat(3_000_000)).finish();
            assertAllEnded(1);
        }
    }
}
