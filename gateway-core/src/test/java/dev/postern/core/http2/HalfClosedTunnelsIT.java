package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.LoopbackPort;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.UdpTunnelClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests tunnels of which one side has ended its direction: the other direction stays open, and the tunnel lasts until both have ended (RFC
 * 9113 section 8.5 for streams).
 */
@ExtendWith(LeakExtension.class)
@Tag("long")
class HalfClosedTunnelsIT {

    private static final int WINDOW = 65_535;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final RawOrigin origin = new RawOrigin();
    private final AtomicInteger over = new AtomicInteger();
    private CoreGateway gateway = new CoreGateway(setup());

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private Setup setup() {
        return Setup.of(origin.address()).admit(new OverListener(over));
    }

    private void restart(Setup setup) {
        gateway.close();
        gateway = new CoreGateway(setup);
    }

    // ---- clients

    private ClientTunnel open(int version) {
        return version == 1
                ? new ClientTunnel.OfSocket(connect1())
                : new ClientTunnel.OfStream(connect2(origin.address()), 1);
    }

    private RawClient connect1() {
        RawClient client = new RawClient(gateway.forwardPort());
        client.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
        assertThat(client.readConnect().status()).isEqualTo(200);
        return client;
    }

    private FrameClient connect2(String target) {
        FrameClient client = FrameClient.connect(gateway.forwardPort());
        client.headers(1, false, ":method", "CONNECT", ":authority", target);
        client.await(HEADERS);
        assertThat(client.soFar(1).status()).isEqualTo("200");
        return client;
    }

    /** Checks that the exchange has ended in order, and that the stream was not reset. */
    private void assertComplete(FrameClient client) {
        await().until(() -> gateway.ended().size() == 1 && over.get() == 1);
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
        assertThat(client.soFar(1).reset()).isEmpty();
    }

    // ---- one direction ends

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theClientMaySendAfterTheDestinationHasEnded(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            line.send("all").finish();
            assertThat(tunnel.read(3)).isEqualTo("all");
            tunnel.awaitEnd();
            tunnel.send("more");
            assertThat(line.read(4)).isEqualTo("more");
            tunnel.send("and more");
            assertThat(line.read(8)).isEqualTo("and more");
            assertThat(over).as("the client's side is open").hasValue(0);
            assertThat(gateway.tunnels()).isOne();
            tunnel.finish();
            assertThat(line.rest()).isEmpty();
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theDestinationMaySendAfterTheClientHasEnded(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            tunnel.send("all");
            tunnel.finish();
            assertThat(line.rest()).isEqualTo("all");
            line.send("more");
            assertThat(tunnel.read(4)).isEqualTo("more");
            assertThat(over).as("the destination's side is open").hasValue(0);
            line.finish();
            tunnel.awaitEnd();
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void bothMayEndAtOnce(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> line.send("theirs").finish());
            tunnel.send("ours");
            tunnel.finish();
            assertThat(tunnel.read(6)).isEqualTo("theirs");
            tunnel.awaitEnd();
            other.join();
            assertThat(line.rest()).isEqualTo("ours");
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    // ---- flow control

    /** The last bytes wait for a window after both sides have ended, and after the connection to the destination is closed. */
    @Test
    void theRestOfADestinationThatHasEndedWaitsForTheWindow() {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            int size = WINDOW + 30_000;
            line.send("x".repeat(size)).finish();
            Response response = client.soFar(1);
            while (response.length() < WINDOW) {
                client.next();
            }
            client.data(1, true, "last");
            assertThat(line.rest()).isEqualTo("last");
            await().until(() -> gateway.tunnels() == 0);
            assertThat(over).as("the end of the stream waits").hasValue(0);
            client.window(0, 100_000).window(1, 100_000);
            assertThat(client.response(1).length()).isEqualTo(size);
            assertComplete(client);
        }
    }

    // ---- resets

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResetOfTheDestinationResetsTheStream(boolean halfClosed) {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            if (halfClosed) {
                line.finish();
                assertThat(client.response(1).ended()).isTrue();
            }
            line.reset();
            client.data(1, false, "more"); // a socket without readers learns of the reset when it writes
            assertThat(client.await(RST_STREAM).error()).isEqualTo("CONNECT_ERROR");
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, none", "1, destination", "1, client", "2, none", "2, destination", "2, client"})
    void aResetOfTheClientClosesTheConnectionToTheDestination(int version, String ended) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            if (ended.equals("destination")) {
                line.finish();
                tunnel.awaitEnd();
            } else if (ended.equals("client")) {
                tunnel.finish();
                assertThat(line.rest()).isEmpty();
            }
            tunnel.reset();
            if (tunnel instanceof ClientTunnel.OfSocket && ended.equals("client")) {
                line.send("more"); // a socket without readers learns of the reset when it writes
            }
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
        }
    }

    // ---- drain

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDrainResetsAStreamWhoseUdpTunnelHasEnded(boolean before) throws Exception {
        Duration idle = before ? Duration.ofSeconds(1) : Duration.ofMinutes(1);
        restart(setup().udp(Setup.udp(List.of("1-65535"), idle)));
        try (LoopbackPort service = LoopbackPort.open();
                FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            String path = "/.well-known/masque/udp/127.0.0.1/" + service.number() + "/";
            client.headers(1, false, UdpTunnelClient.extendedConnect(path));
            client.await(HEADERS);
            assertThat(client.soFar(1).status()).isEqualTo("200");
            if (before) {
                assertThat(client.response(1).ended()).isTrue();
            }
            CompletableFuture<Integer> drained = CompletableFuture.supplyAsync(() -> drain(LONG));
            assertThat(client.closedByPeer()).isTrue();
            assertThat(client.soFar(1).ended()).isTrue();
            assertThat(client.soFar(1).reset()).isEqualTo("NO_ERROR");
            assertThat(drained.join()).as("connections cut off by the drain").isZero();
        }
    }

    private int drain(Duration limit) {
        try {
            return gateway.server().drain(limit);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
