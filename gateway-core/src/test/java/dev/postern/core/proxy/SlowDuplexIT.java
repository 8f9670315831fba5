package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.route.MinBodyRate;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests streams whose request and response run at the same time, slowly. */
class SlowDuplexIT extends GatewayBeforeOrigins {

    private static final Duration IDLE = Duration.ofSeconds(4);
    private static final Duration OFTEN = Duration.ofMillis(100);
    private static final MinBodyRate RATE = new MinBodyRate(1_000_000, IDLE);
    private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    @Override
    protected CoreGateway start(Setup setup) {
        return new CoreGateway(setup.idle(IDLE).route(route -> route.with(RATE)));
    }

    /** Begins a stream that stays silent: when it has been cut, the idle time of every earlier one without bytes is over. */
    private RawClient silent() {
        RawClient client = client();
        client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
        acceptRequest().send(HEAD);
        client.readHead();
        return client;
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/connect+proto", "application/x-ndjson", "text/event-stream"})
    void bytesOfTheRequestKeepAStreamAlive(String type) {
        try (RawClient client = client()) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n\r\n");
            Line line = acceptRequest().send(HEAD);
            client.readHead();
            try (RawClient silent = silent()) {
                await().pollInterval(OFTEN).until(() -> {
                    client.send("1\r\nx\r\n");
                    return gateway().ended().size() == 1;
                });
                assertThat(silent.closedByPeer()).isTrue();
            }
            client.send("0\r\n\r\n");
            line.send("4\r\ndone\r\n0\r\n\r\n");
            assertThat(client.readUntil("0\r\n\r\n")).contains("done");
        }
    }

    @Test
    void bytesOfTheRequestKeepAStreamOverHttp2Alive() {
        try (FrameClient client = FrameClient.connect(gateway2().port())) {
            client.post(1, "/", "content-type", "application/connect+proto");
            FrameClient server = origin2.accept();
            server.await(HEADERS);
            server.headers(1, false, ":status", "200");
            client.await(HEADERS);
            try (RawClient silent = silent()) {
                await().pollInterval(OFTEN).until(() -> {
                    client.data(1, false, "x");
                    return gateway().ended().size() == 1;
                });
                assertThat(silent.closedByPeer()).isTrue();
            }
            client.data(1, true, "end");
            server.await(DATA);
            server.data(1, true, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
        }
    }

    @Test
    void bytesOfTheResponseKeepAStreamAlive() {
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            Line line = acceptRequest().send(HEAD);
            client.readHead();
            try (RawClient silent = silent()) {
                await().pollInterval(OFTEN).until(() -> {
                    line.send("1\r\nx\r\n");
                    return gateway().ended().size() == 1;
                });
                assertThat(silent.closedByPeer()).isTrue();
            }
            client.send("0\r\n\r\n");
            line.send("4\r\ndone\r\n0\r\n\r\n");
            assertThat(client.readUntil("0\r\n\r\n")).contains("done");
        }
    }
}
