package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.pool.PendingConnects.PendingConnect;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which exchanges wait for one connect together. */
class PendingConnectsTest {

    private static final Endpoint APP = endpoint("app");
    private static final Endpoint OTHER = endpoint("other");

    private static Endpoint endpoint(String name) {
        return new Endpoint(
                InetSocketAddress.createUnresolved(name, 80),
                1,
                new EndpointHealth(KeyDefaults.of(UpstreamSettings.Health.class)));
    }

    private static List<FakeWaiter> waiters(int count) {
        return IntStream.range(0, count).mapToObj(i -> new FakeWaiter()).toList();
    }

    private static FakeWaiter client(int port) {
        return new FakeWaiter().from(new ProxyProtocolSource(new InetSocketAddress("192.0.2.1", port), null));
    }

    @Test
    void asManyExchangesJoinAsTheConnectionHasStreams() {
        PendingConnects connects = new PendingConnects(3);
        List<FakeWaiter> all = waiters(4);
        PendingConnect connect = connects.begin(APP, all.get(0));
        assertThat(connects.join(APP, all.get(1))).isTrue();
        assertThat(connects.join(APP, all.get(2))).isTrue();
        assertThat(connects.join(APP, all.get(3))).isFalse();
        assertThat(connects.end(connect)).containsExactly(all.get(0), all.get(1), all.get(2));
    }

    @Test
    void exchangesOfOtherEndpointsAndClientsDoNotJoin() {
        PendingConnects connects = new PendingConnects(3);
        connects.begin(APP, client(1));
        assertThat(connects.join(OTHER, client(1))).isFalse();
        assertThat(connects.join(APP, client(2))).isFalse();
        assertThat(connects.join(APP, new FakeWaiter())).isFalse();
        assertThat(connects.join(APP, client(1))).isTrue();
    }

    @Test
    void oneThatLeavesMakesRoomForAnother() {
        PendingConnects connects = new PendingConnects(2);
        List<FakeWaiter> all = waiters(3);
        PendingConnect connect = connects.begin(APP, all.get(0));
        connects.join(APP, all.get(1));
        assertThat(connects.leave(all.get(0))).isTrue();
        assertThat(connects.join(APP, all.get(2))).isTrue();
        assertThat(connects.join(APP, new FakeWaiter())).isFalse();
        assertThat(connects.end(connect)).containsExactly(all.get(1), all.get(2));
        assertThat(connect.takenOver())
                .as("one that was there before still waits")
                .isFalse();
    }

    @Test
    void theConnectWithTheLatestFreePlaceIsJoinedFirst() {
        PendingConnects connects = new PendingConnects(1);
        List<FakeWaiter> all = waiters(4);
        PendingConnect first = connects.begin(APP, all.get(0));
        PendingConnect second = connects.begin(APP, all.get(1));
        connects.leave(all.get(0));
        connects.leave(all.get(1));
        connects.join(APP, all.get(2));
        connects.join(APP, all.get(3));
        assertThat(connects.end(second)).containsExactly(all.get(2));
        assertThat(connects.end(first)).containsExactly(all.get(3));
    }

    @Test
    void anEndedConnectIsJoinedNoMore() {
        PendingConnects connects = new PendingConnects(2);
        PendingConnect full = connects.begin(APP, new FakeWaiter());
        connects.join(APP, new FakeWaiter());
        PendingConnect half = connects.begin(APP, new FakeWaiter());
        connects.end(half);
        connects.end(full);
        assertThat(connects.join(APP, new FakeWaiter())).isFalse();
    }

    @Test
    void aWaiterOfAnEndedConnectLeavesNothing() {
        PendingConnects connects = new PendingConnects(2);
        List<FakeWaiter> all = waiters(3);
        PendingConnect ended = connects.begin(APP, all.get(0));
        connects.join(APP, all.get(1));
        connects.end(ended);
        assertThat(connects.leave(all.get(0))).isFalse();
        assertThat(connects.leave(new FakeWaiter())).isFalse();
        assertThat(connects.join(APP, all.get(2))).isFalse();
        assertThat(ended.endpoint()).isSameAs(APP);
    }

    @Test
    void isTakenOverOnceEveryFirstWaiterHasLeft() {
        PendingConnects connects = new PendingConnects(2);
        List<FakeWaiter> all = waiters(3);
        PendingConnect connect = connects.begin(APP, all.get(0));
        assertThat(connect.takenOver()).isFalse();
        connects.leave(all.get(0));
        assertThat(connect.takenOver()).as("not yet").isFalse();
        connects.join(APP, all.get(1));
        connects.join(APP, all.get(2));
        assertThat(connect.takenOver()).isTrue();
        assertThat(connect.takenOver()).as("once").isFalse();
    }
}
