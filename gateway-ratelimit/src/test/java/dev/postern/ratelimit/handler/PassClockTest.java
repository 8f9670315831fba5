package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the passes that a node remembers when the wall clock of its host steps. Two sessions may be active; a pass ends after a minute of
 * silence, and a session may send two requests a minute, and two more at once beside the first.
 */
class PassClockTest {

    private final AdmissionFixture stage =
            new AdmissionFixture(KeyRing.random(), AdmissionFixture.roomLimit("site", 2, "2/m"));

    /** Uses up the rate of the room. */
    @BeforeEach
    void begin() {
        assertThat(passes("")).isTrue();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private boolean passes(String cookie) {
        AdmissionResult seen = stage.get("/").cookie(cookie).send();
        boolean passed = seen.passed();
        seen.exchange().end();
        return passed;
    }

    /** Admits a session; returns its cookie. */
    private String admitted() {
        AdmissionResult seen = stage.get("/").send();
        assertThat(seen.passed()).isTrue();
        seen.exchange().end();
        assertThat(seen.cookie()).isNotEmpty();
        return seen.cookie();
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600, -61, 61, 3_600})
    void aStepNeitherEndsNorProlongsAPass(long seconds) {
        String first = admitted();
        admitted();
        assertThat(passes("")).as("all slots are taken").isFalse();
        stage.clock.advance(Duration.ofSeconds(seconds));
        assertThat(passes(first)).isTrue();
        assertThat(passes("")).as("all slots are still taken").isFalse();

        stage.advance(Duration.ofSeconds(62));
        assertThat(passes("")).as("the rate of the room").isTrue();
        admitted();
        admitted();
        assertThat(passes(first)).as("another session has the slot").isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600, -61, 61, 3_600})
    void aStepIsNoTimeInWhichASessionMaySendMore(long seconds) {
        String session = admitted();
        for (int i = 0; i < 2; i++) {
            assertThat(passes(session)).as("request %d", i).isTrue();
        }
        assertThat(passes(session)).isFalse();
        stage.clock.advance(Duration.ofSeconds(seconds));
        assertThat(passes(session)).as("at once").isFalse();
        stage.advance(Duration.ofSeconds(29));
        assertThat(passes(session)).as("before its time").isFalse();
        stage.advance(Duration.ofSeconds(2));
        assertThat(passes(session)).as("after half a minute").isTrue();
    }
}
