package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that clients that hold all connections of a pool with few bytes do not keep others from it: over several loops, and where the kernel
 * takes bytes for them.
 */
@ExtendWith(LeakExtension.class)
class FullPoolIT {

    private static final int CONNECTIONS = 32;

    /** Connections and places to wait. */
    private static final int ATTACKERS = 2 * CONNECTIONS;

    private static final String HONEST = "127.0.0.2";
    private static final int REQUESTS = 20;
    private static final int LARGE = 1 << 20;
    private static final String POST = "POST /held HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n";
    private static final int PIECE = 8192;
    private static final int NOT_SENT = 16_384;

    private final TestOrigin origin = new TestOrigin();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        origin.close();
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }

    private static UpstreamSettings.Pool pool() {
        return TestPool.of(CONNECTIONS, CONNECTIONS, 1);
    }

    private CoreGateway gateway() {
        return opened(new CoreGateway(Setup.of(origin.address())
                .loops(2)
                .connect(Duration.ofSeconds(10))
                .pool(pool())));
    }

    private static void awaitFull(CoreGateway gateway) {
        await().until(() -> gateway.upstream().state().open() == CONNECTIONS
                && gateway.upstream().idle() == 0);
    }

    private static void assertServed(CoreGateway gateway, String from) {
        try (RawClient client = new RawClient(from, gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    private static void assertServedOften(CoreGateway gateway, String from) {
        for (int i = 0; i < REQUESTS; i++) {
            assertServed(gateway, from);
        }
    }

    /** Keeps one request under way on a connection, and sends it again when it was refused. */
    private void persist(CoreGateway gateway, String request) {
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!over.get()) {
                try (RawClient client = new RawClient(gateway.port())) {
                    client.send(request);
                    client.rest();
                } catch (IllegalStateException e) {
                    // reset: comes again
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        opened(() -> over.set(true));
    }

    @Test
    void bodiesThatNeverArriveDoNotKeepOtherNetworksOut() {
        CoreGateway gateway = gateway();
        for (int i = 0; i < ATTACKERS; i++) {
            persist(gateway, POST);
        }
        awaitFull(gateway);
        assertServedOften(gateway, HONEST);
        assertThat(gateway.count("postern.upstream.preempted", "cause", "network-share"))
                .isPositive();
    }

    /** Requests a large response and never reads it; what the kernel would take for it is less than the response. */
    private static Socket unread(CoreGateway gateway) throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(PIECE);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        client.getOutputStream().write("GET /large HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1));
        return client;
    }

    @Test
    void clientsThatDoNotReadHoldNoConnection() throws IOException {
        byte[] large = new byte[16 * LARGE]; // one for all, since 32 of them would not fit into the heap
        origin.behave((request, socket) -> {
            if (request.line().contains("/large")) {
                TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: " + large.length + "\r\n\r\n")
                        .response(request, socket);
                socket.getOutputStream().write(large);
            } else {
                TestOrigin.Behaviour.ok("small").response(request, socket);
            }
        });
        CoreGateway gateway = opened(new CoreGateway(Setup.of(origin.address())
                .notSent(NOT_SENT)
                .connect(Duration.ofSeconds(10))
                .pool(pool())));
        for (int i = 0; i < CONNECTIONS; i++) {
            opened(unread(gateway));
        }
        awaitFull(gateway);
        // Until the kernel takes no more for them the clients seem to read.
        await().untilAsserted(() -> assertServed(gateway, HONEST));
        assertServedOften(gateway, HONEST);
        assertThat(gateway.count("postern.upstream.preempted", "cause", "network-share")
                        + gateway.count("postern.upstream.preempted", "cause", "client-wait"))
                .as("not by the write timeout")
                .isPositive();
    }
}
