package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.transport.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that probes get a response while other clients send incomplete requests. */
@ExtendWith(LeakExtension.class)
class HalfRequestsIT {

    private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);
    private static final String HALF = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ";
    private static final String LIVE = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    private final CountDownLatch leave = new CountDownLatch(1);
    private final Probes probes = new Probes(
            () -> CompletableFuture.completedFuture(true), () -> true, () -> false, () -> "", Map.of(), Set.of());
    private final AdminServer admin =
            AdminServers.open(Map.of(), Map.of("/slow", this::slow, "/endless", HalfRequestsIT::endless), Map.of());
    private final ProbeServer apart = new ProbeServer(ANY, Transport.open(Transport.Kind.NIO), probes);
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        leave.countDown();
        clients.forEach(RawClient::close);
        admin.close();
        apart.close();
    }

    private void slow(AdminExchange exchange) {
        try {
            leave.await();
            exchange.send(200, "text/plain", "at last");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void endless(AdminExchange exchange) throws IOException {
        byte[] much = new byte[1 << 20];
        try (OutputStream out = exchange.stream(200, "text/plain")) {
            while (true) {
                out.write(much);
                out.flush();
            }
        }
    }

    private RawClient client(String from, int port) {
        RawClient client = new RawClient(from, port);
        clients.add(client);
        return client;
    }

    private void flood(int port, int count, IntFunction<String> peers) {
        for (int i = 0; i < count; i++) {
            client(peers.apply(i), port).send(HALF);
        }
    }

    private void assertProbesSucceed(int port) {
        for (int i = 0; i < 20; i++) {
            assertThat(client("127.0.0.1", port).send(LIVE).read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 500})
    void ofOnePeerDoNotBlockProbes(int count) {
        flood(admin.address().getPort(), count, i -> "127.0.0.1");
        flood(apart.address().getPort(), count, i -> "127.0.0.1");

        assertProbesSucceed(admin.address().getPort());
        assertProbesSucceed(apart.address().getPort());
    }

    @Test
    void ofManyPeersDoNotBlockProbes() {
        flood(admin.address().getPort(), 500, i -> "127.0.1." + (1 + i % 250));
        flood(apart.address().getPort(), 500, i -> "127.0.1." + (1 + i % 250));

        assertProbesSucceed(admin.address().getPort());
        assertProbesSucceed(apart.address().getPort());
    }

    @Test
    void areClosedOldestFirst() {
        int port = admin.address().getPort();
        flood(port, AdminListener.MAX_HALF_PER_PEER, i -> "127.0.0.1");
        RawClient other = client("127.0.0.2", port).send(HALF);

        RawClient newest = client("127.0.0.1", port).send(HALF);

        assertThat(clients.get(0).closedByPeer()).isTrue();
        for (RawClient kept : List.of(clients.get(1), other, newest)) {
            assertThat(kept.send("x\r\n\r\n").read().status()).isEqualTo(200);
        }
    }

    @Test
    void timeOut() {
        RawClient half = client("127.0.0.1", admin.address().getPort()).send(HALF);

        assertThat(half.read().status()).isEqualTo(408);
        assertThat(half.closedByPeer()).isTrue();
    }

    @Test
    void slowPagesDoNotBlockProbes() {
        int port = admin.address().getPort();
        List<RawClient> waiting = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            waiting.add(client("127.0.0.1", port).send("GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
        }

        assertProbesSucceed(port);

        leave.countDown();
        assertThat(waiting).allSatisfy(one -> assertThat(one.read().body()).isEqualTo("at last"));
    }

    @Test
    void clientsThatReadNothingDoNotBlockProbes() {
        int port = admin.address().getPort();
        for (int i = 0; i < 8; i++) {
            client("127.0.0.1", port).send("GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        }

        assertProbesSucceed(port);
    }
}
