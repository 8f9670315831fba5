package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void prefersGivenValueToDefault() {
        Settings settings = new Settings(Map.of("rate", "7"));

        assertThat(settings.number(Parameter.RATE)).isEqualTo(7);
        assertThat(settings.number(Parameter.COPIES)).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "fast"})
    void namesValueAndExpectationOfNumbers(String value) {
        assertThatThrownBy(() -> new Settings(Map.of("rate", value)).number(Parameter.RATE))
                .hasMessage("rate: " + value + " (expected: a whole number, 0 or more)");
    }

    @Test
    void printsEachParameterOfTheSimulationAlone() {
        String lines = new Settings(Map.of("copies", "2", "expect", "401")).lines("DoubleSpend");

        assertThat(lines)
                .contains("  -Dcopies=2\n", "  -Drate=500  (default)\n", "  -Dpath=/  (default)\n")
                .doesNotContain("expect");
    }

    @ParameterizedTest
    @EnumSource
    void hasParametersForEachSimulation(Simulation simulation) {
        assertThat(Parameter.of(simulation.name())).contains(Parameter.GATEWAY_URL, Parameter.PATH);
        assertThat(Parameter.of(simulation.name()).contains(Parameter.TOKEN_FILE))
                .isEqualTo(simulation != Simulation.WaitingRoom);
    }

    @Test
    void hasUniqueKeys() {
        assertThat(Arrays.stream(Parameter.values()).map(Parameter::key)).doesNotHaveDuplicates();
    }

    @Test
    void comparesRequestsAtUpstreamWithTokens() {
        assertThat(Simulation.Reach.EACH_TOKEN_ONCE.met(10, 10)).isTrue();
        assertThat(Simulation.Reach.EACH_TOKEN_ONCE.met(9, 10)).isFalse();
        assertThat(Simulation.Reach.EACH_TOKEN_ONCE.met(11, 10)).isFalse();
        assertThat(Simulation.Reach.NO_TOKEN_TWICE.met(9, 10)).isTrue();
        assertThat(Simulation.Reach.NO_TOKEN_TWICE.met(11, 10)).isFalse();
    }
}
