package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.FrameClient;
import org.junit.jupiter.api.Test;

/** Tests which requests are sent again because the server indicated that it had not processed them, and which are not. */
class UpstreamResendIT extends UpstreamStreamFixture {

    private static final int REFUSED_STREAM = 7;

    @Test
    void resendsRefusedRequestsOfAnyMethod() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/", "content-length", "0"));
            FrameClient server = origin.accept();
            server.await(HEADERS);
            server.frame(RST_STREAM, 0, 1, numbers(REFUSED_STREAM));
            server.await(HEADERS);
            assertThat(server.soFar(3).field(":method")).isEqualTo("POST");
            ok(server, 3, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
        }
        await().until(() -> !gateway.ended().isEmpty());
        assertThat(gateway.ended().get(0).outcome().tries()).isEqualTo(2);
    }
}
