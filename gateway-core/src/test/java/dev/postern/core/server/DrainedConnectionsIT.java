package dev.postern.core.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a stopping gateway loses no request of clients that keep connections and leave when they are told. */
@ExtendWith(LeakExtension.class)
class DrainedConnectionsIT {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi";

    private final ExecutorService others = Executors.newCachedThreadPool();
    private TestOrigin origin;
    private CoreGateway gateway;

    @BeforeEach
    void start() {
        origin = new TestOrigin();
        origin.behave(Behaviour.ok("hello"));
        gateway = new CoreGateway(Setup.of(origin.address()));
    }

    @AfterEach
    void stop() {
        gateway.close();
        origin.close();
        others.shutdownNow();
    }

    private Future<Integer> drain() {
        Future<Integer> drained = others.submit(() -> gateway.server().drain(LONG));
        await().until(this::refuses);
        return drained;
    }

    private boolean refuses() {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            return !probe.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    private List<RawClient> kept(int count) {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RawClient client = new RawClient(gateway.port());
            assertThat(client.send(GET).read().field("Connection")).isEmpty();
            clients.add(client);
        }
        return clients;
    }

    @Test
    void aRequestOnItsWayWhenTheDrainBeginsIsServed() throws Exception {
        List<RawClient> clients = kept(12);
        Future<Integer> drained = drain();
        for (RawClient client : clients) {
            RawClient.Response response = client.send(POST).read();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).isTrue();
            client.close();
        }
        assertThat(drained.get()).as("connections cut off").isZero();
    }

    /** Twelve clients that send without a pause, and leave a connection when they are told; after that they use it no more. */
    @Test
    void busyClientsLoseNothing() throws Exception {
        AtomicBoolean told = new AtomicBoolean();
        List<Future<String>> ends = new ArrayList<>();
        for (RawClient client : kept(12)) {
            ends.add(others.submit(() -> untilClosed(client, told)));
        }
        await().until(() -> origin.received().size() > 200);
        told.set(true);
        gateway.server().announce();
        Future<Integer> drained = drain();
        for (Future<String> end : ends) {
            assertThat(end.get()).isEqualTo("told");
        }
        assertThat(drained.get()).isZero();
    }

    private static String untilClosed(RawClient client, AtomicBoolean told) {
        try (client) {
            while (true) {
                RawClient.Response response = client.send(POST).read();
                if (response.status() != 200) {
                    return "status " + response.status();
                }
                if (response.field("Connection").equals("close")) {
                    return told.get() ? "told" : "told too early";
                }
            }
        } catch (RuntimeException e) {
            return "lost: " + e.getMessage();
        }
    }
}
