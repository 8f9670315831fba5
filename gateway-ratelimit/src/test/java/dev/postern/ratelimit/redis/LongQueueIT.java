package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Verifies that the script decides in a long queue as the Java room does, where it counts no ranks, and that planted faults are found. */
@Tag("faults")
@Tag("long")
class LongQueueIT {

    private static final int HISTORIES = 4;

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void scriptDecidesAsTheJavaRoom(int seed) {
        assertThat(new LongQueueComparison(REDIS.connection(), ClockedScript.ROOM).difference(seed))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "NEAR + max(active - passes, 0) + asked ~ max(active - passes, 0) + asked",
                "NEAR + max(active - passes, 0) + asked ~ NEAR",
                "ticket <= front and ~ false and",
                "now - num(found[1]) >= MARKS_LIFE ~ false",
                "if marks[low + step + 2] <= ticket then ~ if marks[low + step + 2] > ticket then",
                "low * distance + size * ~ size *",
                "            return waiting - 1 ~             return 0",
                "and moved < PURGE and ~ and moved < 0 and",
                "if ticket >= marks[MARKS + 2] then ~ if ticket < marks[MARKS + 2] then",
            })
    void aPlantedFaultIsFound(String right, String wrong) {
        LongQueueComparison comparison = new LongQueueComparison(REDIS.connection(), ClockedScript.with(right, wrong));
        int seed = 0;
        while (seed < HISTORIES && comparison.difference(seed) == null) {
            seed++;
        }
        assertThat(seed).as("first history that differs").isLessThan(HISTORIES);
    }
}
