package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.TestRedemptions;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.SpentCache;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.lettuce.core.RedisURI;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Environment of connections to Redis, without a server. */
final class RedisFixture implements AutoCloseable {

    static final byte[] MARKER = FakeRedis.ascii("00112233:0a1b:0");
    static final byte[] OTHER_MARKER = FakeRedis.ascii("ffeeddcc:0a1b:0");

    static final RedisServer.Address ONE = new RedisServer.Address("one:1", RedisURI.create("one", 1), false);

    static final Duration DEADLINE = Duration.ofMillis(50);

    final MockTicker ticker = Ticker.newMockTicker();
    final EmbeddedChannel channel = EmbeddedChannel.builder().ticker(ticker).build();
    final EventLoopDeadlines deadlines = new EventLoopDeadlines(channel.eventLoop());
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final EpochState state = new EpochState(SpendKeys.SHARDS, WhenForgotten.ROLL, InstantSource.system());
    final SpentCache spent = new SpentCache();
    final SpendKeys keys = new SpendKeys("test");
    final LedgerScheduler scheduler = new LedgerScheduler(ticker);
    final List<RedisURI> requested = new ArrayList<>();
    final List<CompletableFuture<FakeRedis>> connecting = new ArrayList<>();
    final List<PendingSpend> responses = new ArrayList<>();
    final StoreResources resources = new StoreResources(
            state,
            spent,
            new LedgerMeters(registry),
            scheduler,
            new EventLoopLocal<>(EventLoopDeadlines::new),
            DEADLINE);
    final RedisServer.Connector connector = uri -> {
        requested.add(uri);
        CompletableFuture<FakeRedis> made = new CompletableFuture<>();
        connecting.add(made);
        return made.thenApply(fake -> fake.connection);
    };

    private final TestRedemptions tokens = new TestRedemptions(1, InstantSource.system());

    RedisServer server() {
        return server(ONE);
    }

    RedisServer server(RedisServer.Address address) {
        return new RedisServer(address, resources, connector, keys);
    }

    /** Completes the connection that was requested last. */
    FakeRedis connect() {
        FakeRedis fake = new FakeRedis();
        connecting.get(connecting.size() - 1).complete(fake);
        settle();
        return fake;
    }

    /** Connects a server and responds with the markers of these shards. */
    FakeRedis ready(RedisServer server, List<Integer> shards, int replicas) {
        server.maintain(shards, ticker.nanoTime());
        FakeRedis fake = connect();
        server.maintain(shards, ticker.nanoTime());
        show(fake, shards.size(), FakeRedis.info("0a1b", "master", replicas), MARKER);
        return fake;
    }

    /** Responds to a check of that many shards. */
    void show(FakeRedis fake, int shards, String info, byte[] marker) {
        fake.next("info").response().complete(info);
        settle();
        for (int i = 0; i < Scripts.ALL.size(); i++) {
            fake.next("scriptLoad");
        }
        for (int i = 0; i < shards; i++) {
            fake.next("evalsha").response().complete(marker);
        }
        settle();
    }

    Redemption token() {
        return tokens.next().in(state.epoch());
    }

    /** Creates a request for a token of shard 0. */
    PendingInsert.Request request() {
        byte[] key = token().key();
        key[0] = 0;
        Redemption token = new Redemption(key, token().acceptedUntil(), state.epoch());
        return new PendingInsert.Request(
                token, keys.token(key), 0, MARKER, state.epoch(), new byte[16], FakeRedis.ascii("1000"));
    }

    void spend(RedisServer server) {
        server.spend(request(), channel.eventLoop(), later(), responses::add);
    }

    PendingInsert insert(RedisServer server) {
        return new PendingInsert(request(), server, deadlines, later(), responses::add);
    }

    /** Returns the only result since the previous call. */
    SpendResult response() {
        assertThat(responses).hasSize(1);
        return responses.remove(0).result();
    }

    static long later() {
        return TimeUnit.HOURS.toNanos(1);
    }

    /** Waits until the ledger's thread and then the event loop have run their tasks. */
    void settle() {
        // Twice, since the event loop may submit tasks to the thread.
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            scheduler.now(() -> done.complete(true));
            done.orTimeout(60, TimeUnit.SECONDS).join();
        }
        channel.runPendingTasks();
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
