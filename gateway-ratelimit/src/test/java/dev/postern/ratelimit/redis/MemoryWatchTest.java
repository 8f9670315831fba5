package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MemoryWatch watch = new MemoryWatch(registry);

    private static String info(String policy, long evicted) {
        return "maxmemory_policy:" + policy + "\r\nevicted_keys:" + evicted + "\r\n";
    }

    private double mayEvict() {
        return registry.get("postern.store.may.evict")
                .tag("store", "rooms")
                .gauge()
                .value();
    }

    private double evicted() {
        return registry.get("postern.room.events")
                .tag("event", "evicted")
                .counter()
                .count();
    }

    @Test
    void namesThePolicyOfAServerThatMayEvict() {
        assertThat(watch.objection()).isEmpty();
        watch.take("one:1", info("noeviction", 3));
        assertThat(watch.objection()).isEmpty();
        assertThat(mayEvict()).isZero();

        watch.take("one:1", info("volatile-lru", 3));
        assertThat(watch.objection())
                .isEqualTo("maxmemory-policy: volatile-lru (expected: noeviction), evicted keys: 3");
        assertThat(mayEvict()).isEqualTo(1);

        watch.take("one:1", info("noeviction", 3));
        assertThat(watch.objection()).isEmpty();
        assertThat(mayEvict()).isZero();
    }

    @Test
    void namesTheServersOfACluster() {
        watch.take("b:2", info("allkeys-lru", 0));
        watch.take("a:1", info("allkeys-lfu", 5));
        watch.take("c:3", info("noeviction", 0));

        assertThat(watch.objection())
                .isEqualTo("a:1 maxmemory-policy: allkeys-lfu (expected: noeviction), evicted keys: 5; "
                        + "b:2 maxmemory-policy: allkeys-lru (expected: noeviction), evicted keys: 0");
    }

    @Test
    void countsTheKeysThatWereEvictedSinceTheFirstLook() {
        watch.take("one:1", info("allkeys-lru", 100));
        assertThat(evicted()).as("from before this process").isZero();
        watch.take("one:1", info("allkeys-lru", 103));
        watch.take("one:1", info("allkeys-lru", 103));
        watch.take("one:1", info("allkeys-lru", 0));
        watch.take("one:1", info("allkeys-lru", 2));

        assertThat(evicted()).as("a restarted server begins at 0").isEqualTo(5);
    }

    @Test
    void ignoresOtherText() {
        watch.take("one:1", "hello");

        assertThat(watch.objection()).isEmpty();
        assertThat(mayEvict()).isZero();
    }
}
