package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.RoomKey;
import io.lettuce.core.api.sync.RedisCommands;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests a room of two nodes that loses one of its keys, or all: its bound, its passes and the order of its queue. */
@Tag("faults")
class LostKeyIT {

    private static final int ACTIVE = 2;
    private static final RoomRules RULES =
            new RoomRules(ACTIVE, 600 * SECOND, 60 * SECOND, 20 * SECOND, 100, new Gcra(3600 * SECOND, 0));

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final StoreNode one = StoreNode.patient(loops, REDIS.address());
    private final StoreNode two = StoreNode.patient(loops, REDIS.address());
    private final RedisCommands<String, String> redis = REDIS.connection().sync();
    private final Map<String, Claim> claims = new HashMap<>();
    private int rooms;
    private RoomKey room = new RoomKey("", "", RULES);
    private String[] keys = {};

    @AfterEach
    void stop() {
        one.store().close();
        two.store().close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        redis.flushall();
    }

    static List<String> keyParts() {
        List<String> parts = new ArrayList<>();
        for (String key : new Keys(StoreNode.INSTANCE).room("any")) {
            parts.add(key.substring(key.lastIndexOf(':') + 1));
        }
        return parts;
    }

    @ParameterizedTest
    @MethodSource("keyParts")
    void theBoundHoldsWithoutOneKey(String part) {
        expectKeptAfter(() -> redis.del(key(part)));
        expectKeptAfter(() -> redis.unlink(key(part)));
        expectKeptAfter(() -> {
            redis.pexpire(key(part), 1);
            Awaitility.await().until(() -> redis.exists(key(part)) == 0 || redis.pttl(key(part)) > 1);
        });
    }

    @Test
    void theBoundHoldsWithoutAnyKey() {
        expectKeptAfter(redis::flushdb);
        expectKeptAfter(() -> redis.del(keys));
    }

    /** An eviction may remove several keys at once, so that those with the same sessions still agree. */
    @Test
    void theBoundHoldsWithoutAllKeysOfOneKind() {
        expectKeptAfter(() -> redis.del(key("p"), key("h"), key("a")));
        expectKeptAfter(() -> redis.del(key("w"), key("s"), key("r")));
        expectKeptAfter(() -> redis.del(key("m"), key("p"), key("n")));
    }

    /** Its session has no slot in the room's new memory, which may have given all of them. */
    @Test
    void aDecisionThatAStoppedEventLoopReadsAfterTheLossIsNoAdmission() {
        open();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        EventLoop stopped = group.next();
        CountDownLatch resumed = new CountDownLatch(1);
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        try {
            stopped.execute(() -> {
                one.store().decide(room, request("late", Intent.ENTER), stopped, response::complete);
                stopped.execute(() -> await(resumed));
            });
            Awaitility.await().until(() -> redis.zcard(key("p")) == 1);
            redis.flushdb();
            awaitThawed();
            assertThat(enter(two, "base").kind()).isEqualTo(Kind.BASE);
            assertThat(enter(two, "in0").kind()).isEqualTo(Kind.ADMITTED);
            assertThat(enter(two, "in1").kind()).isEqualTo(Kind.ADMITTED);
            resumed.countDown();

            assertThat(response.orTimeout(60, TimeUnit.SECONDS).join().kind()).isEqualTo(Kind.UNKNOWN);
        } finally {
            resumed.countDown();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String key(String part) {
        return keys[keyParts().indexOf(part)];
    }

    private void expectKeptAfter(Runnable loss) {
        fill();
        loss.run();
        for (int i = 0; i < 3; i++) {
            assertThat(enter(two, "early" + i).kind())
                    .as("before the nodes have registered")
                    .isNotEqualTo(Kind.ADMITTED);
            assertThat(enter(one, "late" + i).kind())
                    .as("before the nodes have registered")
                    .isNotEqualTo(Kind.ADMITTED);
        }
        awaitThawed();

        assertThat(enter(two, "next").kind()).isEqualTo(Kind.WAITING);
        assertThat(enter(two, "in0").kind())
                .as("a pass that another node knows")
                .isEqualTo(Kind.ADMITTED);
        assertThat(enter(one, "in1").kind())
                .as("a pass that another node knows")
                .isEqualTo(Kind.ADMITTED);
        assertThat(position(one, "w0")).isEqualTo(1);
        assertThat(position(two, "w1")).isEqualTo(2);
        assertThat(one.store().known(room).active()).isEqualTo(ACTIVE);
    }

    /** Gives the slots of a new room to two sessions and the first places to two others, of different nodes. */
    private void fill() {
        open();
        assertThat(enter(one, "in0").kind()).isEqualTo(Kind.ADMITTED);
        assertThat(enter(two, "in1").kind()).isEqualTo(Kind.ADMITTED);
        assertThat(position(one, "w0")).isEqualTo(1);
        assertThat(position(two, "w1")).isEqualTo(2);
    }

    /** Makes a new room that both nodes know. */
    private void open() {
        String id = "room" + rooms++;
        room = new RoomKey(id, id, RULES);
        keys = new Keys(StoreNode.INSTANCE).room(id);
        claims.clear();
        for (StoreNode node : List.of(one, two)) {
            Awaitility.await().until(() -> ask(node, "absent", Intent.POLL).kind() != Kind.UNKNOWN);
        }
        awaitThawed();
        assertThat(enter(one, "base").kind()).isEqualTo(Kind.BASE);
    }

    /** Waits until both nodes know the room's memory and the room admits sessions. */
    private void awaitThawed() {
        Awaitility.await().until(() -> {
            for (StoreNode node : List.of(one, two)) {
                ask(node, "absent", Intent.POLL);
            }
            return "0".equals(redis.hget(keys[0], "frozen")) && redis.zcard(key("n")) == 2;
        });
    }

    private long position(StoreNode node, String session) {
        AdmissionDecision decision = enter(node, session);
        assertThat(decision.kind()).as(session).isEqualTo(Kind.WAITING);
        return decision.position();
    }

    private AdmissionDecision enter(StoreNode node, String session) {
        return ask(node, session, Intent.ENTER);
    }

    private AdmissionDecision ask(StoreNode node, String session, Intent intent) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        long askedAt = Micros.of(InstantSource.system());
        AdmissionRequest request = request(session, intent);
        loop.execute(() -> node.store().decide(room, request, loop, decision -> {
            node.cache().note(room, session, decision, askedAt);
            response.complete(decision);
        }));
        AdmissionDecision decision = response.orTimeout(60, TimeUnit.SECONDS).join();
        AdmissionDecision.Snapshot seen = decision.room();
        claims.put(session, new Claim(seen.epoch(), decision.ticket(), seen.now(), decision.end(), decision.hard()));
        return decision;
    }

    private AdmissionRequest request(String session, Intent intent) {
        return new AdmissionRequest(
                intent,
                session,
                "all",
                claims.getOrDefault(session, Claim.NONE),
                "c-" + session,
                new TenantShare("tenant", 1));
    }
}
