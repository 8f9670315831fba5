package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests gRPC calls from end to end over HTTP/2: messages are forwarded as they arrive, and the status follows in the trailers. */
@ExtendWith(LeakExtension.class)
class GrpcIT {

    private static final String ONE = "\0\0\0\0\1a";
    private static final String TWO = "\0\0\0\0\1b";
    private static final String[] OK = {":status", "200", "content-type", "application/grpc"};

    private final FrameOrigin origin = new FrameOrigin();
    private final CoreGateway gateway =
            new CoreGateway(Setup.of(origin.address()).toHttp2(null));
    private FrameClient client;
    private FrameClient server;

    @BeforeEach
    void call() {
        client = FrameClient.connect(gateway.port());
        client.post(1, "/a.B/C", "content-type", "application/grpc", "te", "trailers", "grpc-timeout", "1S");
        server = origin.accept();
        Frame head = server.await(HEADERS);
        assertThat(head.has(FrameClient.END_STREAM)).isFalse();
        Response request = server.soFar(1);
        assertThat(request.field("te")).isEqualTo("trailers");
        assertThat(request.field("content-type")).isEqualTo("application/grpc");
        assertThat(request.field("grpc-timeout")).isEqualTo("1S");
    }

    @AfterEach
    void close() {
        client.close();
        gateway.close();
        origin.close();
    }

    private void status(String code) {
        server.headers(1, true, "grpc-status", code, "grpc-message", "said so");
    }

    private void assertStatus(String code) {
        Response response = client.response(1);
        assertThat(response.status()).isEqualTo("200");
        assertThat(response.field("grpc-status")).isEqualTo(code);
        assertThat(response.field("grpc-message")).isEqualTo("said so");
        assertThat(response.reset()).isEmpty();
        await().until(() -> !gateway.ended().isEmpty());
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
    }

    @Test
    void bidirectionalStreaming() {
        server.headers(1, false, OK);
        client.await(HEADERS);
        for (int i = 0; i < 5; i++) {
            client.data(1, false, ONE);
            server.await(DATA);
            server.data(1, false, TWO);
            client.await(DATA);
        }
        client.data(1, true, "");
        assertThat(server.response(1).body()).isEqualTo(ONE.repeat(5));
        status("0");
        assertStatus("0");
        assertThat(client.soFar(1).body()).isEqualTo(TWO.repeat(5));
    }

    /** The upstream closes the connection: the client gets a status of gRPC in one frame that ends the stream. */
    @Test
    void aRefusalIsOfTrailersAlone() {
        client.data(1, true, ONE);
        server.response(1);
        server.close();
        Frame head = client.await(HEADERS);
        assertThat(head.has(FrameClient.END_STREAM)).as("one frame").isTrue();
        Response response = client.response(1);
        assertThat(response.status()).isEqualTo("200");
        assertThat(response.field("content-type")).isEqualTo("application/grpc");
        assertThat(response.field("grpc-status")).isEqualTo("14");
        assertThat(response.field("grpc-message")).startsWith("upstream-closed: The upstream closed");
        assertThat(response.field("cache-control")).isEqualTo("no-store");
        assertThat(response.field("content-length")).isEmpty();
        await().until(() -> !gateway.ended().isEmpty());
        assertThat(gateway.ended().get(0).outcome().status())
                .as("in log and meters")
                .isEqualTo(502);
    }
}
