package dev.postern.app.replica;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the race on Redis: one server, and a cluster. */
@ParameterizedClass(name = "{0}")
@MethodSource("stores")
class RedisRaceIT extends SharedStoreRace {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    RedisRaceIT(RacedStore store) {
        super(store);
    }

    static Stream<RacedStore> stores() {
        return Stream.of(new RedisStore(() -> List.of(REDIS.server()), false), new RedisStore(CLUSTER::servers, true));
    }
}
