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
import dev.postern.ratelimit.store.RoomKey;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the share of one network with two nodes on one Redis: the places of both count together. */
class NetworkShareIT {

    private static final String ATTACKER = "attacker";
    private static final String NAT = "nat-1000";
    private static final int SHARE = 30;
    private static final int CLIENTS = 1_000;
    private static final int BATCH = 100;

    private static final RoomKey ROOM = new RoomKey(
            "site",
            "site",
            new RoomRules(1, 600 * SECOND, 600 * SECOND, 120 * SECOND, 3_000, new Gcra(3_600 * SECOND, 0))
                    .perNetwork(SHARE));

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<StoreNode> nodes =
            List.of(StoreNode.patient(loops, REDIS.address()), StoreNode.patient(loops, REDIS.address()));
    private final RedisClient client = RedisClient.create("redis://" + REDIS.address());
    private final StatefulRedisConnection<String, String> connection = client.connect();

    @AfterEach
    void stop() {
        connection.close();
        client.shutdown();
        nodes.forEach(node -> node.store().close());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Sends a request, again while a busy machine lets the deadline of a call pass. */
    private CompletableFuture<AdmissionDecision> ask(
            int node, Intent intent, String network, String session, Claim claim) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        EventLoop loop = loops.next();
        AdmissionRequest request =
                new AdmissionRequest(intent, session, "all", claim, "", TenantShare.NONE).countedFor(network);
        loop.execute(() -> nodes.get(node % 2).store().decide(ROOM, request, loop, response::complete));
        return response.orTimeout(60, TimeUnit.SECONDS)
                .thenCompose(decision -> decision.kind() == Kind.UNKNOWN
                        ? ask(node, intent, network, session, claim)
                        : CompletableFuture.completedFuture(decision));
    }

    /** Sends a first request of each of these sessions, to the nodes in turn. */
    private List<AdmissionDecision> enter(String network, int from, int to) {
        List<CompletableFuture<AdmissionDecision>> responses = new ArrayList<>();
        for (int i = from; i < to; i++) {
            responses.add(ask(i, Intent.PAGE, network, network + i, Claim.NONE));
        }
        return responses.stream().map(CompletableFuture::join).toList();
    }

    /** Sends a poll of each of these sessions with the cookie of its first response, to the other node. */
    private List<AdmissionDecision> poll(String network, int from, List<AdmissionDecision> arrived) {
        List<CompletableFuture<AdmissionDecision>> responses = new ArrayList<>();
        for (int i = 0; i < arrived.size(); i++) {
            responses.add(ask(from + i + 1, Intent.POLL, network, network + (from + i), cookie(arrived.get(i))));
        }
        return responses.stream().map(CompletableFuture::join).toList();
    }

    private static Claim cookie(AdmissionDecision decision) {
        return new Claim(
                decision.room().epoch(), decision.ticket(), decision.room().now(), 0, 0);
    }

    private static long count(List<AdmissionDecision> decisions, Kind kind) {
        return decisions.stream().filter(decision -> decision.kind() == kind).count();
    }

    private Map<String, String> counts() {
        return connection.sync().hgetall(new Keys(StoreNode.INSTANCE).room(ROOM.id())[16]);
    }

    @Test
    void aLargeHonestNetworkGetsItsPlacesBesideAnAttacker() {
        Awaitility.await()
                .until(() -> nodes.stream().allMatch(node -> node.store().healthy()));
        enter("", 0, 2); // uses the base rate and the slot

        List<AdmissionDecision> flood = new ArrayList<>();
        List<AdmissionDecision> arrived = new ArrayList<>();
        List<AdmissionDecision> polled = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i += BATCH) {
            flood.addAll(enter(ATTACKER, 4 * i, 4 * (i + BATCH)));
            List<AdmissionDecision> batch = enter(NAT, i, i + BATCH);
            arrived.addAll(batch);
            polled.addAll(poll(NAT, i, batch));
        }
        assertThat(count(flood, Kind.WAITING)).isEqualTo(SHARE);
        assertThat(count(flood, Kind.DEFERRED)).isEqualTo(4 * CLIENTS - SHARE);
        assertThat(count(arrived, Kind.WAITING)).isEqualTo(SHARE);
        assertThat(count(polled, Kind.WAITING)).isEqualTo(CLIENTS);
        assertThat(counts()).isEqualTo(Map.of(ATTACKER, "" + SHARE, NAT, "" + CLIENTS));

        for (int i = 0; i < CLIENTS; i++) {
            StoreNode node = nodes.get(i % 2);
            String session = NAT + i;
            EventLoop loop = loops.next();
            loop.execute(() -> node.store().revoke(ROOM, session, loop));
        }
        Awaitility.await().untilAsserted(() -> assertThat(counts()).isEqualTo(Map.of(ATTACKER, "" + SHARE)));
    }
}
