package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests many slow readers at the same time. */
@ExtendWith(LeakExtension.class)
class OutboundBytesLimiterIT {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int SIZE = 24_000_000; // more than the capacity of the sockets between
    private static final int READERS = 8;

    private final RawOrigin origin = new RawOrigin();
    private final List<RawClient> clients = new ArrayList<>();
    private final List<RawOrigin.Pouring> responses = new ArrayList<>();
    private CoreGateway gateway = gateway(0);

    private CoreGateway gateway(long unsent) {
        return new CoreGateway(Setup.of(origin.address()).outboundBytes(unsent));
    }

    private long unsent() {
        return (long) gateway.gauge("postern.connections.unsent");
    }

    private void slowReaders() {
        for (int i = 0; i < READERS; i++) {
            RawClient client = new RawClient(gateway.port());
            clients.add(client.send(GET));
            RawOrigin.Line line = origin.accept();
            line.readHead();
            responses.add(line.pour(SIZE));
        }
        await().pollInterval(Duration.ofMillis(300))
                .until(() -> responses.stream().allMatch(RawOrigin.Pouring::stopped));
    }

    @AfterEach
    void close() {
        clients.forEach(RawClient::close);
        gateway.close();
        origin.close();
    }

    @Test
    void withoutALimitEachConnectionHasItsOwn() {
        slowReaders();
        await().untilAsserted(() -> assertThat(unsent()).isGreaterThan(READERS * 250_000L));
    }

    @Test
    void pastTheLimitEachMayBufferLittleAndStillReceivesEverything() {
        gateway.close();
        gateway = gateway(600_000);
        slowReaders();
        assertThat(unsent()).isLessThan(READERS * 200_000L);
        for (RawClient client : clients) {
            assertThat(client.read().body()).hasSize(SIZE);
        }
        await().until(() -> unsent() == 0);
    }

    @Test
    void aClosedConnectionReleasesItsBytes() {
        slowReaders();
        clients.forEach(RawClient::reset);
        await().dontCatchUncaughtExceptions().until(() -> unsent() == 0);
    }

    @Test
    void tunnelsCount() {
        gateway.close();
        gateway = gateway(100_000);
        for (int i = 0; i < READERS; i++) {
            RawClient client = new RawClient(gateway.forwardPort());
            clients.add(client);
            client.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
            assertThat(client.readConnect().status()).isEqualTo(200);
            responses.add(origin.accept().pour(SIZE));
        }
        await().pollInterval(Duration.ofMillis(300))
                .until(() -> responses.stream().allMatch(RawOrigin.Pouring::stopped));
        // The first was buffered before the limit was reached.
        assertThat(unsent()).isBetween(1L, 600_000 + (READERS - 1) * 150_000L);
        // One that was buffered before, and one past the limit, where each read is slow while others wait.
        for (int reader : new int[] {0, READERS - 1}) {
            assertThat(clients.get(reader).readBytes(SIZE)).hasSize(SIZE);
        }
    }
}
