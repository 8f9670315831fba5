package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.SpentCache;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Environment of connections without a server: markers of two servers, meters, and an event loop that runs on request. */
final class MemcachedFixture implements AutoCloseable {

    static final byte[] MARKER = "00112233445566778899aabbccddeeff:0".getBytes(US_ASCII);
    static final byte[] OTHER_MARKER = "ffeeddccbbaa99887766554433221100:0".getBytes(US_ASCII);
    static final MemcachedServer.Server SERVER =
            new MemcachedServer.Server("127.0.0.1:11211", "127.0.0.1", 11211, 0, false);

    /** Later than any response of a test. */
    static final Duration DEADLINE = Duration.ofMinutes(1);

    final EmbeddedChannel channel = new EmbeddedChannel();
    final EventLoopDeadlines deadlines = new EventLoopDeadlines(channel.eventLoop());
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final EpochState state;
    final MemcachedEncoding encoding = new MemcachedEncoding("test", () -> Instant.EPOCH);
    final SpentCache spent = new SpentCache();
    final LedgerScheduler scheduler;
    final StoreResources resources;
    final List<FakeMemcachedConnection> connections = new ArrayList<>();
    final List<InetSocketAddress> addresses = new ArrayList<>();
    final List<PendingSpend> responses = new ArrayList<>();

    private final TestRedemptions tokens = new TestRedemptions(1, () -> Instant.EPOCH);
    private int number;

    MemcachedFixture() {
        this(2);
    }

    MemcachedFixture(int servers) {
        this(servers, Ticker.systemTicker());
    }

    /** @param ticker of the ledger's thread and of the connections */
    MemcachedFixture(int servers, Ticker ticker) {
        scheduler = new LedgerScheduler(ticker);
        state = new EpochState(servers, WhenForgotten.ROLL, InstantSource.system());
        resources = resources(state);
    }

    /** Returns the same resources with other markers. */
    StoreResources resources(EpochState others) {
        return new StoreResources(
                others,
                spent,
                new LedgerMeters(registry),
                scheduler,
                new EventLoopLocal<>(EventLoopDeadlines::new),
                DEADLINE);
    }

    MemcachedServer server() {
        return handle(SERVER, MemcachedServer.SpendCheck.NONE);
    }

    MemcachedServer handle(MemcachedServer.Server server, MemcachedServer.SpendCheck check) {
        return new MemcachedServer(server, resources, encoding, check, (address, connection) -> {
            addresses.add(address);
            FakeMemcachedConnection opened = new FakeMemcachedConnection(connection);
            opened.ticker = scheduler.ticker();
            connections.add(opened);
            return opened;
        });
    }

    /** Creates a server whose connection is open and whose marker was read. */
    MemcachedServer ready(MemcachedServer.Server server, byte[] marker) {
        MemcachedServer memcachedServer = handle(server, MemcachedServer.SpendCheck.NONE);
        memcachedServer.maintain(Ticker.systemTicker().nanoTime());
        state.observed(server.index(), marker);
        connect();
        while (connection().waiting() > 0) {
            connection().next();
        }
        connection().connection().marker(marker);
        return memcachedServer;
    }

    /** Returns the connection that was opened last. */
    FakeMemcachedConnection connection() {
        return connections.get(connections.size() - 1);
    }

    /** Opens a connection, and returns the time from which its timers run. */
    long open(MemcachedServer server) {
        long start = Ticker.systemTicker().nanoTime();
        server.maintain(start);
        return start;
    }

    /** Completes the connect of the connection that was opened last. */
    void connect() {
        connection().connection().established();
        settle();
    }

    /** Responds to the marker check. */
    void respondToMarkerCheck() {
        connection().response("NOT_STORED\r\n");
        String marker = new String(MARKER, US_ASCII);
        connection().response("VALUE test:1:epoch 0 " + marker.length() + " 1\r\n" + marker + "\r\nEND\r\n");
        settle();
    }

    void spend(MemcachedServer server) {
        long deadline = Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
        server.spend(token(), channel.eventLoop(), deadline, responses::add);
    }

    void fail(MemcachedServer server, int times) {
        for (int i = 0; i < times; i++) {
            server.timedOut();
        }
    }

    /** Returns the only result since the previous call, which no limit refused. */
    SpendResult response() {
        assertThat(responses).hasSize(1);
        PendingSpend response = responses.remove(0);
        assertThat(response.busy()).isFalse();
        return response.result();
    }

    Redemption token() {
        return tokens.next().in(state.epoch());
    }

    PendingAdd attempt(MemcachedServer memcachedServer) {
        return attempt(memcachedServer, token());
    }

    PendingAdd attempt(MemcachedServer memcachedServer, Redemption token) {
        return attempt(memcachedServer, token, responses::add);
    }

    PendingAdd attempt(MemcachedServer memcachedServer, Redemption token, SpendListener listener) {
        long deadline = Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
        return new PendingAdd(token, memcachedServer, deadlines, deadline, ++number, listener);
    }

    /** Waits until the ledger's thread has run its tasks. */
    void settle() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        scheduler.now(() -> done.complete(true));
        done.orTimeout(10, TimeUnit.SECONDS).join();
    }

    double events(String event) {
        return registry.counter("postern.ledger.events", "event", event).count();
    }

    @Override
    public void close() {
        scheduler.close();
        channel.finishAndReleaseAll();
    }
}
