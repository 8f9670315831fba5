package dev.postern.core.server;

import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.PING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests which requests are served while a listener drains, and when its connections are closed. */
@ExtendWith(LeakExtension.class)
class DrainedConnectionsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi";

    /** Longer than the gateway waits for a first request, and for a client to close. */
    private static final Duration A_WHILE = Duration.ofSeconds(6);

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryListener listener = gateway.reverse();

    @AfterEach
    void close() {
        gateway.close();
    }

    private List<RawClient> kept(int count) {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RawClient client = gateway.client();
            assertThat(client.send(GET).read().field("Connection")).isEmpty();
            clients.add(client);
        }
        return clients;
    }

    @Test
    void theFirstRequestOfAConnectionIsServed() {
        gateway.origin();
        try (RawClient client = gateway.client();
                FrameClient multiplexed = gateway.silentClient2()) {
            listener.drain();
            assertThat(client.send(POST).read().status()).isEqualTo(200);
            multiplexed.greet().get(1, "/");
            assertThat(multiplexed.response(1).status()).isEqualTo("200");
            gateway.pass(A_WHILE);
            assertThat(multiplexed.closedByPeer()).isTrue();
            assertThat(listener.connections()).isZero();
        }
    }

    @Test
    void anIdleConnectionIsClosedSoon() {
        gateway.origin();
        List<RawClient> clients = kept(3);
        try (RawClient silent = gateway.client()) {
            assertThat(listener.connections()).isEqualTo(4);
            listener.drain();
            gateway.pass(A_WHILE);
            assertThat(silent.closedByPeer()).isTrue();
            for (RawClient client : clients) {
                assertThat(client.closedByPeer()).isTrue();
                client.close();
            }
            assertThat(listener.connections()).isZero();
        }
    }

    @Test
    void connectionsAreToldBeforeTheDrain() {
        gateway.origin();
        List<RawClient> clients = kept(12);
        listener.announce();
        for (RawClient client : clients) {
            RawClient.Response response = client.send(POST).read();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Connection")).isEqualTo("close");
            client.close();
        }
        try (RawClient late = gateway.client()) {
            assertThat(late.send(GET).read().field("Connection"))
                    .as("accepted later")
                    .isEqualTo("close");
        }
    }

    @Test
    void sendsTwoGoawaysAndLetsStreamsEnd() {
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            Line one = gateway.acceptRequest();
            listener.drain();
            Frame first = client.await(GOAWAY);
            assertThat(first.number(0)).isEqualTo(Integer.MAX_VALUE);
            assertThat(first.error()).isEqualTo("NO_ERROR");
            Frame ping = client.await(PING);
            client.get(3, "/on-its-way");
            Line three = gateway.acceptRequest();
            client.frame(PING, FrameClient.ACK, 0, ping.payload());
            assertThat(client.await(GOAWAY).number(0)).isEqualTo(3);
            one.ok("late");
            three.ok("late");
            assertThat(client.response(1).body()).isEqualTo("late");
            assertThat(client.response(3).body()).isEqualTo("late");
            assertThat(client.closedByPeer()).isTrue();
            client.finish();
            assertThat(listener.connections()).isZero();
        }
    }
}
