package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.KeyDefaults;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the ring against its definition: a key belongs to the owner of the first point at or after it. */
class HashRingTest {

    private static final int POINTS = 160;

    private static List<Endpoint> servers(int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(i -> new Endpoint(
                        InetSocketAddress.createUnresolved("server-" + i, 80),
                        weights[i],
                        new EndpointHealth(KeyDefaults.of(UpstreamSettings.Health.class))))
                .toList();
    }

    /** Replicas and versions of the gateway must agree. */
    @ParameterizedTest
    @CsvSource({
        "'', -780787492076525413",
        "a, 198367012849983736",
        "client-1, 4085887618957778098",
        "caf\u00e9, -2251447986271062641"
    })
    void hashesAreStable(String text, long expected) {
        assertThat(HashRing.hash(text)).isEqualTo(expected);
    }

    @Test
    void aKeyBelongsToTheFirstPointAtOrAfterIt() {
        List<Endpoint> servers = servers(1, 3, 2);
        NavigableMap<Long, Endpoint> points = new TreeMap<>();
        for (Endpoint server : servers) {
            for (int i = 0; i < server.weight() * POINTS; i++) {
                points.put(HashRing.hash(server.address().toString() + '#' + i), server);
            }
        }
        HashRing ring = new HashRing(servers);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 2_000; i++) {
            assertOwner(ring, points, random.nextLong());
        }
        for (long point : points.keySet()) {
            assertOwner(ring, points, point);
            assertOwner(ring, points, point + 1);
        }
        assertOwner(ring, points, Long.MAX_VALUE);
        assertOwner(ring, points, Long.MIN_VALUE);
    }

    private static void assertOwner(HashRing ring, NavigableMap<Long, Endpoint> points, long key) {
        Map.Entry<Long, Endpoint> next = points.ceilingEntry(key);
        Endpoint owner = (next == null ? points.firstEntry() : next).getValue();
        assertThat(ring.find(key, any -> true)).as("key %d", key).isSameAs(owner);
        assertThat(ring.find(key, none -> false)).as("when none is usable").isSameAs(owner);
        assertThat(ring.find(key, other -> other != owner)).isNotSameAs(owner);
    }

    @Test
    void largeWeightsKeepTheirProportion() {
        int[] weights = {1000, 500, 1};
        List<Endpoint> servers = servers(weights);
        HashRing ring = new HashRing(servers);
        Map<Endpoint, Integer> shares = new HashMap<>();
        SplittableRandom random = new SplittableRandom(1);
        int keys = 30_000;
        for (int i = 0; i < keys; i++) {
            shares.merge(ring.find(random.nextLong(), any -> true), 1, Integer::sum);
        }
        int all = Arrays.stream(weights).sum();
        for (int i = 0; i < 2; i++) {
            double share = (double) shares.getOrDefault(servers.get(i), 0) / keys;
            assertThat(share).isBetween(0.95 * weights[i] / all, 1.05 * weights[i] / all);
        }
        assertThat(shares).as("a small weight keeps its points").containsKey(servers.get(2));
    }
}
