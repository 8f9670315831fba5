package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests arbitrary upstream responses: the client receives the complete response, an error that names the fault, or a truncated response, but
 * never the response of another request.
 */
@ExtendWith(LeakExtension.class)
class UpstreamResponsesIT {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));
    private final RawClient client = new RawClient(gateway.port());

    @AfterEach
    void close() {
        client.close();
        gateway.close();
        origin.close();
    }

    /** Returns the gateway's connection to the origin once a request has arrived on it. */
    private Line acceptRequest(String request) {
        client.send(request);
        Line line = origin.accept();
        line.readHead();
        return line;
    }

    @Test
    void refusesAfterAReset() {
        acceptRequest(GET).reset();
        assertThat(client.read().body()).contains("\"code\":\"upstream-closed\"");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"HTTP/1.0", "HTTP/1.1"})
    void resetsTheClientWhenAResponseWithoutLengthIsReset(String version) throws IOException {
        client.send("GET / " + version + "\r\nHost: h\r\n\r\n");
        Line line = origin.accept();
        line.readHead();
        line.send("HTTP/1.1 200 OK\r\n\r\nhalf");
        assertThat(client.readUntil("half")).contains("200 OK").doesNotContain("\r\n0\r\n");
        line.reset();
        assertThat(client.readEnd()).isEqualTo("reset");
        await().until(() -> gateway.ended().size() == 1);
        assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
    }
}
