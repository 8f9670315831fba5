package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequests;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.RoomKey;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a takeover by another server, or a restart from an old file: the room exists without its last pass. */
class TakeoverIT {

    private static final RoomKey ROOM = new RoomKey(
            "site", "site", new RoomRules(1, 600 * SECOND, 60 * SECOND, 20 * SECOND, 100, new Gcra(3600 * SECOND, 0)));

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final StoreNode one = StoreNode.single(loops, REDIS.address());
    private final StoreNode two = StoreNode.single(loops, REDIS.address());
    private final RedisClient client = RedisClient.create("redis://" + REDIS.address());
    private final StatefulRedisConnection<String, String> connection = client.connect();

    @AfterEach
    void stop() {
        connection.close();
        client.shutdown();
        one.store().close();
        two.store().close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Kind ask(StoreNode node, String session) {
        return ask(node, session, AdmissionRequests.enter(session));
    }

    private Kind ask(StoreNode node, String session, AdmissionRequest request) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        long askedAt = Micros.of(InstantSource.system());
        loop.execute(() -> node.store().decide(ROOM, request, loop, decision -> {
            node.cache().note(ROOM, session, decision, askedAt);
            response.complete(decision);
        }));
        return response.orTimeout(60, TimeUnit.SECONDS).join().kind();
    }

    /** Asks again while a busy machine lets the deadline of a call pass. */
    private Kind decided(StoreNode node, String session) {
        return Awaitility.await().until(() -> ask(node, session), kind -> kind != Kind.UNKNOWN);
    }

    @Test
    void keepsTheSlotOfAPassThatOnlyANodeKnows() {
        String[] keys = new Keys(StoreNode.INSTANCE).room(ROOM.id());
        RedisCommands<String, String> redis = connection.sync();
        for (StoreNode node : List.of(one, two)) {
            // A first call takes longest, and one that enters may pass at the server though its deadline has passed
            // here.
            Awaitility.await().until(() -> ask(node, "absent", AdmissionRequests.poll("absent")) != Kind.UNKNOWN);
        }
        Awaitility.await().until(() -> ask(one, "base") == Kind.BASE && ask(two, "base") == Kind.BASE);
        Awaitility.await().until(() -> ask(one, "in") == Kind.ADMITTED);

        for (int i = 3; i <= 5; i++) {
            redis.del(keys[i]); // passes, their hard ends and their start times
        }
        redis.hset(keys[0], "server", "another");

        Awaitility.await().until(() -> {
            assertThat(ask(two, "next")).isIn(Kind.WAITING, Kind.UNKNOWN);
            ask(one, "other");
            return redis.zscore(keys[3], "in") != null;
        });
        Awaitility.await().until(() -> "0".equals(redis.hget(keys[0], "frozen")));
        assertThat(decided(two, "next")).isEqualTo(Kind.WAITING);
        assertThat(decided(one, "in")).isEqualTo(Kind.ADMITTED);
    }
}
