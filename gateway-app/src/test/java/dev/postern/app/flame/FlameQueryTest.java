package dev.postern.app.flame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.profile.ProfileEvent;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlameQueryTest {

    /** @param query such as {@code seconds=5&event=wall} */
    private static FlamePage.FlameQuery ask(String query) {
        Map<String, String> parameters = new TreeMap<>();
        for (String parameter : query.split("&")) {
            int equals = parameter.indexOf('=');
            if (equals > 0) {
                parameters.put(parameter.substring(0, equals), parameter.substring(equals + 1));
            }
        }
        return FlamePage.FlameQuery.of(parameters::getOrDefault);
    }

    @Test
    void defaultsToTenSecondsOfProcessorTime() {
        assertThat(ask("")).isEqualTo(new FlamePage.FlameQuery(ProfileEvent.CPU, Duration.ofSeconds(10)));
    }

    @Test
    void readsDurationAndEvent() {
        assertThat(ask("seconds=1&event=wall"))
                .isEqualTo(new FlamePage.FlameQuery(ProfileEvent.WALL, Duration.ofSeconds(1)));
        assertThat(ask("event=lock&seconds=60"))
                .isEqualTo(new FlamePage.FlameQuery(ProfileEvent.LOCK, Duration.ofSeconds(60)));
        assertThat(ask("event=alloc")).isEqualTo(new FlamePage.FlameQuery(ProfileEvent.ALLOC, Duration.ofSeconds(10)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "->",
            value = {
                "seconds=0 -> seconds: 0 (expected: 1..60)",
                "seconds=61 -> seconds: 61 (expected: 1..60)",
                "seconds=-1 -> seconds: -1 (expected: 1..60)",
                "seconds=1.5 -> seconds: 1.5 (expected: 1..60)",
                "seconds=ten -> seconds: ten (expected: 1..60)",
                "seconds=99999999999999999999 -> seconds: 99999999999999999999 (expected: 1..60)",
                "event=CPU -> event: CPU (expected: cpu | alloc | wall | lock)",
                "event=cpu,file=/tmp/x -> event: cpu,file=/tmp/x (expected: cpu | alloc | wall | lock)"
            })
    void refusesWithValueAndExpectation(String query, String message) {
        assertThatThrownBy(() -> ask(query))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
