package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that what a benchmark of idle connections opens is accepted by the gateway, and stays open. */
class IdleWorkerTest {
    private static final int SEVERAL = 102; // more tunnels than streams of one connection

    private final TestOrigin origin = new TestOrigin();
    private final CoreGateway gateway =
            new CoreGateway(Setup.of(origin.address()).forward(List.of("1024-65535"), List.of("127.0.0.0/8")));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1", "h2", "tunnel-tcp", "tunnel-udp", "tunnel-h2"})
    void holdsConnectionsAfterOthers(String kind) throws IOException {
        int port = kind.startsWith("tunnel-") ? gateway.forwardPort() : gateway.port();
        IdleWorker worker = new IdleWorker(Integer.toString(port), kind);

        worker.response("churn", "3");
        assertThat(worker.response("hold", Integer.toString(SEVERAL))).isEqualTo(SEVERAL);

        assertThat(worker.response("check")).isEqualTo(SEVERAL);
    }

    @Test
    void findsAConnectionThatHasEnded() throws IOException {
        IdleWorker worker = new IdleWorker(Integer.toString(gateway.port()), "h1");
        worker.response("hold", "1");
        gateway.close();

        assertThatThrownBy(() -> worker.response("check")).isInstanceOf(IOException.class);
    }
}
