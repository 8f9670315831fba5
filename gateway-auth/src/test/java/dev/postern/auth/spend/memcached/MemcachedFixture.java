package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
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

    static final byte[] MARK = "00112233445566778899aabbccddeeff:0".getBytes(US_ASCII);
    static final byte[] OTHER_MARK = "ffeeddccbbaa99887766554433221100:0".getBytes(US_ASCII);
    static final MemcachedServer.Server SERVER =
            new MemcachedServer.Server("127.0.0.1:11211", "127.0.0.1", 11211, 0, false);

    /** Later than any response of a test. */
    static final Duration DEADLINE = Duration.ofMinutes(1);

    final EmbeddedChannel channel = new EmbeddedChannel();
    final EventLoopDeadlines side = new EventLoopDeadlines(channel.eventLoop());
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final EpochState marks;
    final MemcachedEncoding keys = new MemcachedEncoding("test", () -> Instant.EPOCH);
    final SpentCache known = new SpentCache();
    final LedgerScheduler scheduler = new LedgerScheduler(Ticker.systemTicker());
    final StoreResources resources;
    final List<FakeMemcachedConnection> pipes = new ArrayList<>();
    final List<InetSocketAddress> addresses = new ArrayList<>();
    final List<PendingSpend> responses = new ArrayList<>();

    private final TestRedemptions tokens = new TestRedemptions(1, () -> Instant.EPOCH);
    private int number;

    MemcachedFixture() {
        this(2);
    }

    MemcachedFixture(int servers) {
        marks = new EpochState(servers, WhenForgotten.ROLL, InstantSource.system());
        resources = resources(marks);
    }

    /** Returns the same resources with other markers. */
    StoreResources resources(EpochState others) {
        return new StoreResources(
                others,
                known,
                new LedgerMeters(registry),
                scheduler,
                new EventLoopLocal<>(EventLoopDeadlines::new),
                DEADLINE);
    }

    MemcachedServer server() {
        return handle(SERVER, MemcachedServer.SpendCheck.NONE);
    }

    MemcachedServer handle(MemcachedServer.Server server, MemcachedServer.SpendCheck check) {
        return new MemcachedServer(server, resources, keys, check, (address, connection) -> {
            addresses.add(address);
            FakeMemcachedConnection pipe = new FakeMemcachedConnection(connection);
            pipes.add(pipe);
            return pipe;
        });
    }

    /** Creates a server whose connection is open and whose marker was read. */
    MemcachedServer ready(MemcachedServer.Server server, byte[] mark) {
        MemcachedServer memcachedServer = handle(server, MemcachedServer.SpendCheck.NONE);
        memcachedServer.tend(Ticker.systemTicker().nanoTime());
        marks.observed(server.index(), mark);
        pipe().connection().established();
        settle();
        while (pipe().waiting() > 0) {
            pipe().next();
        }
        pipe().connection().mark(mark);
        return memcachedServer;
    }

    /** Returns the connection that was opened last. */
    FakeMemcachedConnection pipe() {
        return pipes.get(pipes.size() - 1);
    }

    Redemption token() {
        return tokens.next().in(marks.epoch());
    }

    PendingAdd attempt(MemcachedServer memcachedServer) {
        return attempt(memcachedServer, token());
    }

    PendingAdd attempt(MemcachedServer memcachedServer, Redemption token) {
        return attempt(memcachedServer, token, responses::add);
    }

    PendingAdd attempt(MemcachedServer memcachedServer, Redemption token, SpendListener listener) {
        long deadline = Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
        return new PendingAdd(token, memcachedServer, side, deadline, ++number, listener);
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
