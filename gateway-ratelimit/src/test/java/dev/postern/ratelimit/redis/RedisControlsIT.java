package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequests;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore.Controlled;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Verifies that overrides set on one node hold on both, also after a loss of state and an outage of Redis. */
@Tag("faults")
class RedisControlsIT {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    /** Has a new identity for each test, because overrides outlive all other state. */
    private final RoomKey room = room();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final StoreNode one = StoreNode.patient(loops, REDIS.address());
    private final StoreNode two = StoreNode.patient(loops, REDIS.address());

    private static RoomKey room() {
        String id = "site" + NUMBER.incrementAndGet();
        return new RoomKey(id, id, new RoomRules(3, 8 * SECOND, SECOND, 5 * SECOND, 1000, new Gcra(3600 * SECOND, 0)));
    }

    @BeforeEach
    void awaitStore() {
        Awaitility.await().until(() -> one.store().healthy() && two.store().healthy());
        ask(one, "base");
        ask(two, "first");
        Awaitility.await().until(() -> ask(two, "first").kind() == Kind.ADMITTED);
    }

    @AfterEach
    void stop() {
        one.store().close();
        two.store().close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private AdmissionDecision ask(StoreNode node, String session) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> node.store().decide(room, AdmissionRequests.enter(session), loop, response::complete));
        return response.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Returns the first decision that comes from Redis. */
    private Kind response(StoreNode node, String session) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> ask(node, session).kind(), kind -> kind != Kind.UNKNOWN);
    }

    private Controlled control(StoreNode node, UnaryOperator<RoomOverrides> change) {
        CompletableFuture<Controlled> future = new CompletableFuture<>();
        EventLoop loop = loops.next();
        loop.execute(() -> node.store().control(room, change, loop, future::complete));
        return future.orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static RoomOverrides overridesOf(StoreNode node) {
        return node.store().rooms().get(0).overrides();
    }

    @Test
    void otherNodesApplyOverridesAtOnce() {
        RoomOverrides overrides =
                control(one, wanted -> wanted.in(RoomMode.PAUSED)).overrides();

        assertThat(ask(two, "second").kind()).isEqualTo(Kind.WAITING);
        assertThat(overridesOf(two)).isEqualTo(overrides);
    }

    @Test
    void changesOnDifferentNodesAddUp() {
        control(one, wanted -> wanted.in(RoomMode.PAUSED));
        RoomOverrides both = control(two, wanted -> wanted.active(7)).overrides();

        assertThat(both.mode()).isEqualTo(RoomMode.PAUSED);
        assertThat(both.active()).isEqualTo(7);
        ask(one, "second");
        assertThat(overridesOf(one)).isEqualTo(both);
    }

    @Test
    void restoresOverridesThatRedisLost() {
        control(one, wanted -> wanted.in(RoomMode.DRAINING));
        ask(two, "second");
        REDIS.server().restartEmpty();

        assertThat(response(two, "third")).isEqualTo(Kind.FULL);
        assertThat(response(one, "fourth")).isEqualTo(Kind.FULL);
    }

    @Test
    void storesOverridesOfAnOutageAfterIt() {
        REDIS.server().kill();
        Controlled controlled = control(one, wanted -> wanted.in(RoomMode.DRAINING));
        assertThat(controlled.stored()).isFalse();
        assertThat(controlled.overrides().mode()).isEqualTo(RoomMode.DRAINING);

        REDIS.server().start();
        assertThat(response(one, "second")).isEqualTo(Kind.FULL);
        assertThat(response(two, "third")).isEqualTo(Kind.FULL);
    }
}
