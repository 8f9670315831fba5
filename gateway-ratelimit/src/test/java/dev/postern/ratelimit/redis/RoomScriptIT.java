package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verifies that the Java room and the script make the same decisions in random histories, and that planted faults are found. */
@Tag("faults")
@Tag("long")
class RoomScriptIT {

    private static final int HISTORIES = ScriptComparison.STEPPING + 500;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static ResourceLeakDetector.Level watch = ResourceLeakDetector.Level.PARANOID;

    @BeforeAll
    static void stopTracking() {
        // Resource tracking of the client would take most of the time, and the client is not under test.
        watch = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterAll
    static void track() {
        ResourceLeakDetector.setLevel(watch);
    }

    @Test
    void scriptDecidesAsTheJavaRoom() {
        ScriptComparison comparison = new ScriptComparison(REDIS.connection(), ClockedScript.ROOM);
        for (int seed = 0; seed < HISTORIES; seed++) {
            assertThat(comparison.difference(seed)).isNull();
        }
        // A history that does not reach a state tests nothing about it.
        assertThat(comparison.kinds().keySet())
                .containsExactlyInAnyOrder(
                        Kind.BASE, Kind.ADMITTED, Kind.WAITING, Kind.FULL, Kind.LIMITED, Kind.TAKEN, Kind.DEFERRED);
    }

    @ParameterizedTest
    @EnumSource(PlantedFault.class)
    void aPlantedFaultIsFound(PlantedFault fault) {
        ScriptComparison comparison = new ScriptComparison(REDIS.connection(), fault.planted());
        int seed = 0;
        while (seed < HISTORIES && comparison.difference(seed) == null) {
            seed++;
        }
        assertThat(seed).as("%s: first history that differs", fault).isLessThan(HISTORIES);
    }
}
