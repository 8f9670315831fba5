package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.core.testing.LogLines;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which outages of servers are logged. */
class MemcachedOutagesTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final MemcachedFixture fixture = new MemcachedFixture(2, ticker);
    private final Map<String, List<FakeMemcachedConnection>> opened = new HashMap<>();
    private final LogLines log = new LogLines(MemcachedLedger.class);

    @AfterEach
    void close() {
        log.close();
        fixture.close();
    }

    @Test
    void logsWhenAServerIsConnectedAwayAndBack() {
        MemcachedServers servers = open(1, List.of());
        maintain(servers);
        assertThat(log.lines()).as("not verified yet").isEmpty();
        verify("127.0.0.1", 0);
        maintain(servers);
        assertThat(log.lines()).containsExactly("memcached 127.0.0.1:1 is connected");

        fail("127.0.0.1", 0);
        maintain(servers);
        pass(250);
        maintain(servers);
        assertThat(log.lines())
                .hasSize(2)
                .last()
                .isEqualTo("memcached 127.0.0.1:1 is away: not connected: connection refused (trying again)");

        verify("127.0.0.1", 0);
        pass(1_000);
        maintain(servers);
        assertThat(log.lines()).hasSize(3).last().isEqualTo("memcached 127.0.0.1:1 is back after 1 s");
    }

    @Test
    void logsHowManyConnectionsToAServerAreAway() {
        MemcachedServers servers = open(2, List.of());
        maintain(servers);
        verify("127.0.0.1", 0);
        fail("127.0.0.1", 1);
        maintain(servers);
        pass(250);

        maintain(servers);

        assertThat(log.lines())
                .containsExactly("memcached 127.0.0.1:1 is away: 1 of 2 connections: not connected: connection refused"
                        + " (trying again)");
    }

    @Test
    void logsAServerBehindARouterByItsOwnName() {
        MemcachedServers servers = open(1, List.of("127.0.0.3:1"));
        maintain(servers);
        verify("127.0.0.1", 0);
        fail("127.0.0.3", 0);
        maintain(servers);
        pass(250);

        maintain(servers);

        assertThat(log.lines())
                .containsExactly(
                        "memcached 127.0.0.1:1 is connected",
                        "memcached 127.0.0.3:1 is away: not connected: connection refused (trying again)");
    }

    private MemcachedServers open(int connections, List<String> statsServers) {
        return new MemcachedServers(
                MemcachedTestSettings.servers(Client.NETTY, List.of("127.0.0.1:1"), 1, connections, statsServers),
                fixture.resources,
                fixture.encoding,
                new Several(connections),
                false);
    }

    private void maintain(MemcachedServers servers) {
        servers.maintain(ticker.nanoTime());
    }

    private void pass(long millis) {
        ticker.advance(millis, TimeUnit.MILLISECONDS);
    }

    private void verify(String host, int connection) {
        connection(host, connection).marker(MemcachedFixture.MARKER);
    }

    private void fail(String host, int connection) {
        connection(host, connection).marker(null);
        connection(host, connection).failed(new ConnectException("Connection refused"));
    }

    private MarkedConnection connection(String host, int connection) {
        return Objects.requireNonNull(opened.get(host)).get(connection).connection();
    }

    /** Several connections to each server, without a server. */
    private final class Several implements MemcachedConnections {

        private final int count;

        Several(int count) {
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
                fake.ticker = ticker;
                opened.computeIfAbsent(address.getHostString(), host -> new ArrayList<>())
                        .add(fake);
                return fake;
            };
        }

        @Override
        public int of(byte[] key, EventLoop loop) {
            return 0;
        }
    }
}
