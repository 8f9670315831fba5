package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Client;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.ManualClock;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A ledger over three servers in memory, whose spends a test settles one by one. */
final class MemcachedLedgerFixture implements AutoCloseable {

    static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final List<String> THREE = List.of("127.0.0.3:11211", "127.0.0.1:11211", "127.0.0.2:11211");

    final MemcachedFixture servers = new MemcachedFixture(3);
    final ManualClock clock = new ManualClock(Instant.parse("2026-11-20T10:00:00Z"));
    final Map<String, FakeMemcachedConnection> connections = new HashMap<>();
    final List<PendingSpend> responses = new ArrayList<>();
    MemcachedLedger ledger = opened(2, WhenForgotten.ROLL);

    /** Opens a ledger in place of the last one. */
    void open(int copies, WhenForgotten whenForgotten) {
        ledger = opened(copies, whenForgotten);
    }

    private MemcachedLedger opened(int copies, WhenForgotten whenForgotten) {
        LedgerSettings defaults = MemcachedTestSettings.of(
                DEADLINE, MemcachedTestSettings.servers(Client.NETTY, THREE, copies, 1, List.of()));
        LedgerSettings settings = KeyDefaults.with(defaults, Map.of("whenForgotten", whenForgotten));
        EpochState state = new EpochState(3, whenForgotten, clock);
        StoreResources resources = servers.resources(state);
        connections.clear();
        MemcachedLedger opened = new MemcachedLedger(
                settings, resources, servers.encoding, clock, new FakeMemcachedConnections(connections));
        opened.servers().maintain(Ticker.systemTicker().nanoTime());
        for (int server = 0; server < 3; server++) {
            state.observed(server, MemcachedFixture.MARKER);
            FakeMemcachedConnection connection = connection(server);
            connection.connection().established();
            servers.settle();
            clear(server);
            connection.connection().marker(MemcachedFixture.MARKER);
        }
        return opened;
    }

    EpochState state() {
        return ledger.state();
    }

    Redemption token() {
        byte[] key = servers.token().key();
        return new Redemption(key, clock.instant().plusSeconds(600), ledger.epoch());
    }

    void spend(Redemption token) {
        ledger.spend(token, servers.channel.eventLoop(), responses::add);
    }

    /** Returns the only result since the previous call. */
    SpendResult response() {
        assertThat(responses).hasSize(1);
        return responses.remove(0).result();
    }

    /** Returns the connection of a server; servers are numbered in the order of their names. */
    FakeMemcachedConnection connection(int server) {
        return Objects.requireNonNull(connections.get("127.0.0." + (server + 1)));
    }

    int sentTo(int server) {
        return connection(server).spends.size();
    }

    PendingAdd last(int server) {
        return connection(server).spends.get(sentTo(server) - 1);
    }

    void settle(int server, StoreReply reply) {
        PendingAdd add = connection(server).spends.remove(0);
        connection(server).leave();
        connection(server).settle(add, reply);
    }

    void clear(int server) {
        while (connection(server).waiting() > 0) {
            connection(server).next();
        }
    }

    @Override
    public void close() {
        servers.close();
    }
}
