package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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

    private int asked;
    private CompletableFuture<String> info = new CompletableFuture<>();

    /** Returns a connection of one server whose INFO is {@link #info}. */
    @SuppressWarnings("unchecked")
    private StatefulRedisConnection<String, String> connection() {
        RedisAsyncCommands<String, String> commands = proxy(RedisAsyncCommands.class, () -> {
            asked++;
            return new PipelinedRedisFuture<>(info);
        });
        return connection(() -> commands);
    }

    @SuppressWarnings("unchecked")
    private static StatefulRedisConnection<String, String> connection(Supplier<Object> commands) {
        return proxy(StatefulRedisConnection.class, commands);
    }

    /** Returns an object whose methods return the result, except those without a result. */
    private static <T> T proxy(Class<T> type, Supplier<Object> result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == void.class ? null : result.get()));
    }

    private void look(StatefulConnection<String, String> connection, long seconds) {
        watch.look(connection, "one:1", TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void asksAServerEveryTenSecondsAndANewConnectionAtOnce() {
        StatefulRedisConnection<String, String> first = connection();
        look(first, 0);
        look(first, 9);
        assertThat(asked).isEqualTo(1);
        look(first, 10);
        assertThat(asked).isEqualTo(2);
        info.complete(info("allkeys-lru", 0));
        assertThat(mayEvict()).isEqualTo(1);

        info = CompletableFuture.failedFuture(new RedisException("no"));
        look(connection(), 11);
        assertThat(asked).isEqualTo(3);
        assertThat(mayEvict()).as("without a response, what was read before").isEqualTo(1);
    }

    @Test
    void aServerThatIsNotUsedAnyMoreDoesNotMatter() {
        watch.take("former:1", info("allkeys-lru", 0));
        look(connection(), 0);
        assertThat(mayEvict()).isZero();
    }

    @Test
    void aConnectionThatTakesNoCommandChangesNothing() {
        watch.take("one:1", info("allkeys-lru", 0));
        Supplier<Object> closed = () -> {
            throw new RedisException("closed");
        };
        look(connection(closed), 0);
        assertThat(mayEvict()).isEqualTo(1);
    }
}
