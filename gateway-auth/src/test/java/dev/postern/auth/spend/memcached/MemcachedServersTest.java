package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.core.config.HostPort;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemcachedServersTest {

    private final MemcachedFixture fixture = new MemcachedFixture(4);
    private final Map<String, List<FakeMemcachedConnection>> opened = new TreeMap<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void numbersServersInTheOrderOfTheirNames() {
        MemcachedServers one = open(1, List.of("127.0.0.2:1", "127.0.0.1:1"), List.of());
        MemcachedServers other = open(1, List.of("127.0.0.1:1", "127.0.0.2:1"), List.of());
        for (int i = 0; i < 100; i++) {
            byte[] key = fixture.token().key();
            int owner = one.owner(key);

            assertThat(other.owner(key)).isEqualTo(owner);
            assertThat(one.owners(key, 2)).containsExactly(owner, 1 - owner);
            for (MemcachedServers servers : List.of(one, other)) {
                assertThat(servers.handle(owner, key, loop()).server())
                        .isEqualTo(new MemcachedServer.Server(
                                "127.0.0." + (owner + 1) + ":1", "127.0.0." + (owner + 1), 1, owner, true));
            }
        }
    }

    @Test
    void checksServersBehindARouterOverSeparateConnections() {
        MemcachedServers servers = open(2, List.of("127.0.0.1:1"), List.of("127.0.0.4:1", "127.0.0.3:1"));
        servers.maintain(Ticker.systemTicker().nanoTime());

        assertThat(opened.get("127.0.0.1")).hasSize(2);
        assertThat(opened.get("127.0.0.3")).hasSize(1);
        assertThat(opened.get("127.0.0.4")).hasSize(1);
        assertThat(servers.handle(0, new byte[16], loop()).server().direct())
                .as("a router has no statistics")
                .isFalse();
        connect();
        assertThat(first("127.0.0.1").waiting()).isEqualTo(2);
        assertThat(first("127.0.0.3").waiting()).isEqualTo(4);
        assertThat(first("127.0.0.4").waiting()).isEqualTo(4);
        opened.forEach((host, each) -> respondToMarkerCheck(each.get(0)));
        assertThat(fixture.state.marker(0)).isNotEmpty();
        assertThat(fixture.state.marker(1)).isNotEmpty();
        assertThat(fixture.state.marker(2)).isNotEmpty();
    }

    @Test
    void readsStatisticsOverEachConnection() {
        MemcachedServers servers = open(3, List.of("127.0.0.1:1"), List.of());
        servers.maintain(Ticker.systemTicker().nanoTime());
        connect();

        assertThat(opened.get("127.0.0.1"))
                .extracting(FakeMemcachedConnection::waiting)
                .containsExactly(4, 4, 4);
    }

    @Test
    void usesTheConnectionOfTheKeyOrTheLoop() {
        MemcachedServers servers = open(2, List.of("127.0.0.1:1"), List.of());
        byte[] even = new byte[16];
        byte[] odd = new byte[16];
        odd[0] = 1;

        assertThat(servers.handle(0, even, loop()))
                .isSameAs(servers.handle(0, even, loop()))
                .isNotSameAs(servers.handle(0, odd, loop()));
    }

    @Test
    void isHealthyWhenEveryConnectionIsVerified() {
        MemcachedServers servers = open(2, List.of("127.0.0.1:1"), List.of("127.0.0.3:1"));
        assertThat(servers.health())
                .isEqualTo(new LedgerHealth(
                        false,
                        Map.of(
                                "127.0.0.1:1", "not connected, breaker closed",
                                "127.0.0.3:1", "not connected, breaker closed")));
        servers.maintain(Ticker.systemTicker().nanoTime());
        connect();
        opened.values()
                .forEach(each ->
                        each.forEach(connection -> connection.connection().marker(MemcachedFixture.MARKER)));
        assertThat(servers.health())
                .isEqualTo(new LedgerHealth(
                        true,
                        Map.of(
                                "127.0.0.1:1", "verified, breaker closed",
                                "127.0.0.3:1", "verified, breaker closed")));

        for (FakeMemcachedConnection connection :
                List.of(all("127.0.0.1").get(0), all("127.0.0.1").get(1), first("127.0.0.3"))) {
            connection.connection().marker(null);
            LedgerHealth health = servers.health();
            assertThat(health.healthy()).isFalse();
            assertThat(health.stores().values()).contains("connected, epoch marker not verified, breaker closed");
            connection.connection().marker(MemcachedFixture.MARKER);
        }
    }

    @Test
    void countsSpendsInFlightOverAllConnections() {
        MemcachedServers servers = open(2, List.of("127.0.0.1:1", "127.0.0.2:1"), List.of());
        servers.maintain(Ticker.systemTicker().nanoTime());

        opened.values().forEach(each -> each.forEach(FakeMemcachedConnection::enter));

        assertThat(fixture.registry.get("postern.ledger.in.flight").gauge().value())
                .isEqualTo(4);
    }

    @Test
    void reportsAvailableServers() {
        MemcachedServers servers = open(1, List.of("127.0.0.1:1"), List.of("127.0.0.3:1"));
        servers.maintain(Ticker.systemTicker().nanoTime());
        connect();
        opened.values().forEach(each -> {
            drain(each.get(0));
            each.get(0).connection().marker(MemcachedFixture.MARKER);
        });
        fixture.state.observed(0, MemcachedFixture.MARKER);
        fixture.state.observed(1, MemcachedFixture.MARKER);

        servers.maintain(Ticker.systemTicker().nanoTime());
        first("127.0.0.1").response("END\r\n");
        first("127.0.0.3").response("END\r\n");
        servers.maintain(Ticker.systemTicker().nanoTime());

        assertThat(first("127.0.0.1").response("STORED\r\n")).contains("127.0.0.1:1 ", "\n127.0.0.3:1 ");
        assertThat(first("127.0.0.3").response("STORED\r\n")).contains("127.0.0.1:1 ", "\n127.0.0.3:1 ");
    }

    @Test
    void listsTheSocketFactsOfReadyConnections() {
        MemcachedServers servers = open(2, List.of("127.0.0.1:1"), List.of("127.0.0.3:1"));
        servers.maintain(Ticker.systemTicker().nanoTime());
        connect();
        assertThat(servers.connectionInfo()).isEmpty();
        all("127.0.0.1").get(1).connection().marker(MemcachedFixture.MARKER);
        first("127.0.0.3").connection().marker(MemcachedFixture.MARKER);

        assertThat(servers.connectionInfo())
                .containsExactly(
                        new StoreConnectionInfo("127.0.0.1:1", true, Double.NaN),
                        new StoreConnectionInfo("127.0.0.3:1", true, Double.NaN));
    }

    @Test
    void countsServersBehindARouterAmongThoseWithAMarker() {
        assertThat(MemcachedServers.marked(MemcachedTestSettings.servers(
                        Client.NETTY, List.of("127.0.0.1:1"), 1, 1, List.of("127.0.0.3:1", "127.0.0.4:1"))))
                .isEqualTo(3);
    }

    @Test
    void registersTheBreakersOfEachServer() {
        open(2, List.of("127.0.0.1:1", "127.0.0.2:1"), List.of());

        assertThat(fixture.registry.getMeters())
                .extracting(meter -> meter.getId().getTags().toString())
                .anyMatch(tags -> tags.contains("ledger 127.0.0.1:1"))
                .anyMatch(tags -> tags.contains("ledger 127.0.0.2:1"));
    }

    @Test
    void closesAllConnections() {
        MemcachedServers servers = open(2, List.of("127.0.0.1:1"), List.of("127.0.0.3:1"));
        servers.maintain(Ticker.systemTicker().nanoTime());

        servers.close();

        assertThat(opened.values().stream().flatMap(List::stream)).hasSize(3).allMatch(connection -> connection.closed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "host:", ":11211", "host:0", "host:65536", "host:-1", "host:x", ""})
    void refusesInvalidAddresses(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(1, List.of(name), List.of()))
                .withMessageContaining("host:port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:0", "host:65536", "host"})
    void refusesInvalidAddressesBehindARouter(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(1, List.of("127.0.0.1:1"), List.of(name)))
                .withMessageContaining("host:port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "127.0.0.1:65535", "[::1]:11211"})
    void acceptsValidAddresses(String name) {
        MemcachedServers servers = open(1, List.of(name), List.of());

        assertThat(servers.owner(new byte[16])).isZero();
        MemcachedServer.Server server = servers.handle(0, new byte[16], loop()).server();
        assertThat(new HostPort(server.host(), server.port())).hasToString(name);
    }

    private MemcachedServers open(int connections, List<String> addresses, List<String> statsServers) {
        return new MemcachedServers(
                MemcachedTestSettings.servers(Client.SPYMEMCACHED, addresses, 1, connections, statsServers),
                fixture.resources,
                fixture.encoding,
                new Fake(connections),
                false);
    }

    private EventLoop loop() {
        return fixture.channel.eventLoop();
    }

    private FakeMemcachedConnection first(String host) {
        return all(host).get(0);
    }

    private List<FakeMemcachedConnection> all(String host) {
        return Objects.requireNonNull(opened.get(host), host);
    }

    private void connect() {
        opened.values()
                .forEach(each ->
                        each.forEach(connection -> connection.connection().established()));
        fixture.settle();
    }

    private static void respondToMarkerCheck(FakeMemcachedConnection connection) {
        if (connection.waiting() == 4) {
            connection.response("STAT evictions off\r\nEND\r\n");
            connection.response("STAT evictions 0\r\nEND\r\n");
        }
        connection.response("STORED\r\n");
        connection.response("VALUE test:1:epoch 0 34 1\r\n00112233445566778899aabbccddeeff:0\r\nEND\r\n");
    }

    private static void drain(FakeMemcachedConnection connection) {
        while (connection.waiting() > 0) {
            connection.next();
        }
    }

    private final class Fake implements MemcachedConnections {

        private final int count;

        Fake(int count) {
            this.count = count;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public MemcachedConnection.Opener opener(int connection) {
            return (address, markedConnection) -> {
                FakeMemcachedConnection fake = new FakeMemcachedConnection(markedConnection);
                opened.computeIfAbsent(address.getHostString(), host -> new ArrayList<>())
                        .add(fake);
                return fake;
            };
        }

        @Override
        public int of(byte[] key, EventLoop loop) {
            return key[0] % count;
        }
    }
}
