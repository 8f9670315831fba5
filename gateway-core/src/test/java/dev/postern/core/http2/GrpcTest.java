package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests gRPC calls from end to end over HTTP/2: messages are forwarded as they arrive, and the status follows in the trailers. */
@ExtendWith(LeakExtension.class)
class GrpcTest {

    private static final String ONE = "\0\0\0\0\1a";
    private static final String TWO = "\0\0\0\0\1b";
    private static final String[] OK = {":status", "200", "content-type", "application/grpc"};

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));
    private FrameClient client;
    private FrameClient server;

    @BeforeEach
    void call() {
        client = gateway.client2();
        client.post(1, "/a.B/C", "content-type", "application/grpc", "te", "trailers", "grpc-timeout", "1S");
        server = gateway.accept2();
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
        assertThat(gateway.ended()).isNotEmpty();
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
    }

    @Test
    void oneMessageEachWay() {
        client.data(1, true, ONE);
        assertThat(server.response(1).body()).isEqualTo(ONE);
        server.headers(1, false, OK).data(1, false, TWO);
        status("0");
        assertStatus("0");
        assertThat(client.soFar(1).body()).isEqualTo(TWO);
    }

    @Test
    void clientStreaming() {
        client.data(1, false, ONE);
        server.await(DATA);
        client.data(1, false, TWO);
        server.await(DATA);
        assertThat(server.soFar(1).body()).isEqualTo(ONE + TWO);
        client.data(1, true, "");
        server.response(1);
        server.headers(1, false, OK).data(1, false, TWO);
        status("0");
        assertStatus("0");
    }

    @Test
    void serverStreaming() {
        client.data(1, true, ONE);
        server.response(1);
        server.headers(1, false, OK);
        client.await(HEADERS);
        server.data(1, false, ONE);
        client.await(DATA);
        server.data(1, false, TWO);
        client.await(DATA);
        assertThat(client.soFar(1).body()).isEqualTo(ONE + TWO);
        status("0");
        assertStatus("0");
    }

    @Test
    void aResponseOfTrailersAlone() {
        client.data(1, true, ONE);
        server.response(1);
        server.headers(
                1,
                true,
                ":status",
                "200",
                "content-type",
                "application/grpc",
                "grpc-status",
                "12",
                "grpc-message",
                "said so");
        Frame head = client.await(HEADERS);
        assertThat(head.has(FrameClient.END_STREAM)).as("one frame, unchanged").isTrue();
        assertThat(client.soFar(1).field("content-length")).isEmpty();
        assertStatus("12");
    }

    @Test
    void trailersOfTheRequest() {
        client.data(1, false, ONE).headers(1, true, "x-sum", "7", "host", "other");
        assertThat(server.response(1).field("x-sum")).isEqualTo("7");
        assertThat(server.soFar(1).field("host")).isEmpty();
        server.headers(1, false, OK);
        status("0");
        assertStatus("0");
    }

    @Test
    void aClientThatCancels() {
        client.data(1, false, ONE);
        server.await(DATA);
        client.reset(1);
        assertThat(server.await(FrameClient.RST_STREAM).error()).isEqualTo("CANCEL");
        assertThat(gateway.ended()).isNotEmpty();
    }

    /** A request that the codec refuses; other clients get their own form. */
    @Test
    void aRefusalOfTheCodecIsOfTrailersAlone() {
        client.post(3, "/%00", "content-type", "application/grpc+proto", "te", "trailers")
                .data(3, true, ONE);
        Response refused = client.response(3);
        assertThat(refused.status() + " " + refused.field("grpc-status")).isEqualTo("200 13");
        client.post(5, "/%00", "content-type", "application/json").data(5, true, "{}");
        Response other = client.response(5);
        assertThat(other.status() + " " + other.field("content-type")).isEqualTo("400 application/problem+json");
        assertThat(other.field("grpc-status")).isEmpty();
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
        assertThat(gateway.ended()).isNotEmpty();
        assertThat(gateway.ended().get(0).outcome().status())
                .as("in log and meters")
                .isEqualTo(502);
    }
}
