package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisTopologyTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int LAST = SlotHash.SLOT_COUNT - 1;

    private final RedisFixture fixture = new RedisFixture();
    private final Map<String, FakeRedis> fakes = new HashMap<>();
    private final List<RedisURI> uris = new ArrayList<>();
    private long now = fixture.ticker.nanoTime();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void hasOneServerForAllShardsWithoutCluster() {
        RedisTopology topology = nodes(false);
        assertThat(topology.all()).hasSize(1);
        for (int shard = 0; shard < SpendKeys.SHARDS; shard++) {
            assertThat(name(topology, shard)).isEqualTo("seed:7000");
        }
        assertThat(topology.complete()).isFalse();

        FakeRedis seed = connect(topology, "seed:7000");
        show(seed, SpendKeys.SHARDS, FakeRedis.MASTER, RedisFixture.MARKER);

        assertThat(topology.complete()).isTrue();
        topology.maintain(Runnable::run, now + SECOND);
        seed.next("info");
        assertThat(seed.waiting()).as("no request for slots").isZero();
    }

    @Test
    void assignsEachShardToTheMasterOfItsSlot() {
        RedisTopology topology = nodes(true);
        assertThat(topology.of(0)).isNull();
        for (int shard = 0; shard < SpendKeys.SHARDS; shard++) {
            int slot = slot(shard);
            topology.assign(List.of(range(0, slot, "one", 1), range(slot + 1, LAST, "two", 2)), "seed");
            for (int each = 0; each < SpendKeys.SHARDS; each++) {
                assertThat(name(topology, each)).isEqualTo(slot(each) <= slot ? "one:1" : "two:2");
            }
            topology.assign(List.of(range(0, slot - 1, "one", 1), range(slot, LAST, "two", 2)), "seed");
            for (int each = 0; each < SpendKeys.SHARDS; each++) {
                assertThat(name(topology, each)).isEqualTo(slot(each) < slot ? "one:1" : "two:2");
            }
        }
    }

    @Test
    void usesTheRespondingServerForAnEmptyName() {
        RedisTopology topology = nodes(true);

        topology.assign(List.of(range(0, 8000, "", 7001), range(8001, LAST, null, 7002)), "responder");

        assertThat(topology.all())
                .extracting(RedisServer::name)
                .containsExactlyInAnyOrder("seed:7000", "responder:7001", "responder:7002");
        assertThat(uris).extracting(RedisURI::getHost).containsExactly("seed", "responder", "responder");
        assertThat(uris).extracting(RedisURI::getPort).containsExactly(7000, 7001, 7002);
    }

    @Test
    void isCompleteWhenTheServerOfEveryShardIsVerified() {
        RedisTopology topology = nodes(true);
        // Shard 0 is among the first to be verified, so a check of it alone is not enough.
        boolean low = slot(0) <= 8000;
        Object lower = range(0, 8000, low ? "one" : "two", low ? 1 : 2);
        Object upper = range(8001, LAST, low ? "two" : "one", low ? 2 : 1);
        int first = low ? shards(0, 8000) : shards(8001, LAST);
        topology.assign(List.of(low ? lower : upper), "seed");
        FakeRedis one = connect(topology, "one:1");
        show(one, first, FakeRedis.MASTER, RedisFixture.MARKER);
        assertThat(topology.complete()).as("the other servers are unknown").isFalse();

        topology.assign(List.of(lower, upper), "seed");
        assertThat(topology.complete()).isFalse();
        FakeRedis two = connect(topology, "two:2");
        show(two, SpendKeys.SHARDS - first, FakeRedis.MASTER, RedisFixture.MARKER);

        assertThat(topology.complete()).isTrue();
        fakes.values().forEach(each -> each.drop("clusterSlots"));
        topology.maintain(Runnable::run, now + SECOND);
        assertThat(slotRequests(List.copyOf(fakes.values())))
                .as("continues to request slots, since shards may move")
                .isEqualTo(1);
    }

    @Test
    void checksTheNewServerOfAShardSoonAndClosesTheOther() {
        RedisTopology topology = nodes(true);
        topology.assign(List.of(range(0, 8000, "one", 1), range(8001, LAST, "two", 2)), "seed");
        FakeRedis one = connect(topology, "one:1");
        FakeRedis two = Objects.requireNonNull(fakes.get("two:2"));
        FakeRedis seed = Objects.requireNonNull(fakes.get("seed:7000"));
        show(one, shards(0, 8000), FakeRedis.MASTER, RedisFixture.MARKER);
        show(two, shards(8001, LAST), FakeRedis.MASTER, RedisFixture.MARKER);

        topology.assign(List.of(range(0, LAST, "two", 2)), "seed");

        assertThat(one.closed).isTrue();
        assertThat(two.closed).isFalse();
        assertThat(seed.closed).as("the initial server").isFalse();
        assertThat(topology.all()).extracting(RedisServer::name).containsExactlyInAnyOrder("seed:7000", "two:2");
        topology.maintain(Runnable::run, now + SECOND / 10);
        // Before the next check is due, and with the same markers.
        show(two, SpendKeys.SHARDS, FakeRedis.MASTER, RedisFixture.MARKER);
        topology.assign(List.of(range(0, LAST, "two", 2)), "seed");
        topology.maintain(Runnable::run, now + 2 * SECOND / 10);
        two.drop("clusterSlots");
        assertThat(two.waiting()).as("no shard moved").isZero();
    }

    @Test
    void requestsSlotsFromAnotherServerEachSecond() {
        fixture.ticker.advance(1, TimeUnit.HOURS);
        RedisTopology topology = nodes(true);
        topology.assign(List.of(range(0, 8000, "one", 1), range(8001, LAST, "two", 2)), "seed");
        // The first request is sent at once: before that, no other server can be connected.
        FakeRedis one = connect(topology, "one:1");
        List<FakeRedis> all = List.of(
                one, Objects.requireNonNull(fakes.get("two:2")), Objects.requireNonNull(fakes.get("seed:7000")));
        assertThat(slotRequests(all)).isEqualTo(1);
        topology.maintain(Runnable::run, now + SECOND - 1);
        assertThat(slotRequests(all)).isEqualTo(1);
        topology.maintain(Runnable::run, now + SECOND);
        topology.maintain(Runnable::run, now + 2 * SECOND);
        assertThat(all)
                .allSatisfy(each -> assertThat(slotRequests(List.of(each))).isEqualTo(1));
    }

    @Test
    void assignsReportedSlots() {
        RedisTopology topology = nodes(true);
        FakeRedis seed = connect(topology, "seed:7000");
        seed.drop("info");
        seed.next("clusterSlots").response().complete(List.of(range(0, LAST, "", 7000)));

        assertThat(name(topology, 17)).isEqualTo("seed:7000");
        topology.maintain(Runnable::run, now + SECOND);
        seed.drop("info");
        seed.next("clusterSlots").response().completeExceptionally(new RedisException("busy"));
        assertThat(name(topology, 17)).isEqualTo("seed:7000");
    }

    @Test
    void sendsARequestForSlotsAtOnce() {
        RedisTopology topology = nodes(true);
        FakeRedis seed = connect(topology, "seed:7000");

        assertThat(seed.count("info")).isEqualTo(1);
        assertThat(seed.count("clusterSlots")).isEqualTo(1);
        assertThat(seed.flushes.get()).as("for each of them").isEqualTo(2);
    }

    @Test
    void showsThatAServerRefusedToReturnItsSlots() {
        RedisTopology topology = nodes(true);
        FakeRedis seed = connect(topology, "seed:7000");
        seed.drop("info");

        seed.next("clusterSlots")
                .response()
                .completeExceptionally(
                        new RedisCommandExecutionException("ERR This instance has cluster support disabled"));

        assertThat(topology.all())
                .extracting(RedisServer::contact)
                .containsExactly("connected, not verified, refuses commands:"
                        + " ERR: no node of a Cluster (expected: one, or redis.cluster: false)");
    }

    @Test
    void requestsSlotsFromTheNextServerWhenOneTakesNoCommand() {
        RedisTopology topology = nodes(true);
        topology.assign(List.of(range(0, LAST, "one", 1)), "seed");
        FakeRedis one = connect(topology, "one:1");
        Objects.requireNonNull(fakes.get("seed:7000")).accept(0);

        // Two requests, of which the first or the second begins with the other server.
        for (int second = 1; second <= 2; second++) {
            one.drop("clusterSlots");
            topology.maintain(Runnable::run, now + second * SECOND);
            assertThat(one.count("clusterSlots")).isEqualTo(1);
        }
    }

    @Test
    void closesAll() {
        RedisTopology topology = nodes(true);
        topology.assign(List.of(range(0, LAST, "one", 1)), "seed");
        FakeRedis one = connect(topology, "one:1");

        topology.close();

        assertThat(one.closed).isTrue();
        assertThat(Objects.requireNonNull(fakes.get("seed:7000")).closed).isTrue();
    }

    private RedisTopology nodes(boolean cluster) {
        return new RedisTopology(
                new RedisServer.Address("seed:7000", RedisURI.create("seed", 7000), cluster), address -> {
                    uris.add(address.uri());
                    RedisServer.Connector connector = uri -> {
                        FakeRedis fake = new FakeRedis();
                        fakes.put(address.name(), fake);
                        return CompletableFuture.completedFuture(fake.connection);
                    };
                    return new RedisServer(address, fixture.resources, connector, fixture.keys);
                });
    }

    /** Runs checks until all servers are connected and verified. */
    private FakeRedis connect(RedisTopology topology, String name) {
        now = fixture.ticker.nanoTime();
        topology.maintain(Runnable::run, now);
        fixture.settle();
        topology.maintain(Runnable::run, now);
        return Objects.requireNonNull(fakes.get(name), name);
    }

    /** Ignores requests for slots that were sent meanwhile. */
    private void show(FakeRedis fake, int shards, String info, byte[] marker) {
        fake.drop("clusterSlots");
        fixture.show(fake, shards, info, marker);
    }

    private static long slotRequests(List<FakeRedis> those) {
        return those.stream().mapToLong(each -> each.count("clusterSlots")).sum();
    }

    private static String name(RedisTopology topology, int shard) {
        return Objects.requireNonNull(topology.of(shard)).name();
    }

    private static int slot(int shard) {
        return SlotHash.getSlot(SpendKeys.tag(shard));
    }

    private static int shards(int from, int end) {
        return (int) IntStream.range(0, SpendKeys.SHARDS)
                .filter(shard -> slot(shard) >= from && slot(shard) <= end)
                .count();
    }

    private static Object range(long from, long limit, @Nullable String host, long port) {
        List<Object> master = new ArrayList<>();
        master.add(host == null ? null : FakeRedis.ascii(host));
        master.add(port);
        return List.of(from, limit, master);
    }
}
