package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same random histories through the Java machine and through the script, answer by response; and that this would find a fault. */
@Tag("faults")
@Tag("long")
class ModelIT {

    private static final int HISTORIES = 1_000;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static ResourceLeakDetector.Level watch = ResourceLeakDetector.Level.PARANOID;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void connect() {
        // Most of the time would go into watching the buffers of a client that is not what is tested.
        watch = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        client = RedisClient.create("redis://" + REDIS.address());
        connection = client.connect();
    }

    @AfterAll
    static void disconnect() {
        connection.close();
        client.shutdown();
        ResourceLeakDetector.setLevel(watch);
    }

    @Test
    void scriptDecidesAsMachineDoes() {
        Model model = new Model(connection, ClockedScript.ROOM);
        for (int seed = 0; seed < HISTORIES; seed++) {
            assertThat(model.difference(seed)).isNull();
        }
        // Histories that never reach a corner prove nothing about it.
        assertThat(model.kinds().keySet())
                .containsExactlyInAnyOrder(Kind.BASE, Kind.ADMITTED, Kind.WAITING, Kind.FULL, Kind.LIMITED, Kind.TAKEN);
    }

    @ParameterizedTest
    @EnumSource(PlantedFault.class)
    void aPlantedFaultIsFound(PlantedFault fault) {
        Model model = new Model(connection, fault.planted());
        int seed = 0;
        while (seed < HISTORIES && model.difference(seed) == null) {
            seed++;
        }
        assertThat(seed).as("%s: first history that differs", fault).isLessThan(HISTORIES);
    }
}
