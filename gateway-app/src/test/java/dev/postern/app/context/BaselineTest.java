package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class BaselineTest {

    private static Baseline of(ContextItem... items) {
        return Baseline.parse(JsonMapper.builder().build().writeValueAsString(List.of(items)));
    }

    private static ContextItem compare(ContextItem then, ContextItem now) {
        return of(then).compare(List.of(now)).get(0);
    }

    @Test
    void expectsTheValuesOfTheRecordedRun() {
        ContextItem drift = compare(ContextItem.fact("jvm.gc", "G1"), ContextItem.fact("jvm.gc", "Z"));
        assertThat(drift.drifted()).isTrue();
        assertThat(drift.wanted()).isEqualTo("G1");
        assertThat(drift.advice()).contains("record a new baseline");
        assertThat(compare(ContextItem.fact("jvm.gc", "Z"), ContextItem.fact("jvm.gc", "Z"))
                        .drifted())
                .isFalse();
    }

    @Test
    void keepsConfiguredValuesThatDifferFromTheRecommendation() {
        ContextItem nio = ContextItem.setting("transport", "epoll", "nio", "transport.kind: auto");
        assertThat(nio.drifted()).isTrue();
        assertThat(compare(nio, nio).drifted()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"20.0, 22.0, false", "20.0, 22.1, true", "20.0, 10.0, false"})
    void aTenthMoreIsADrift(String following, String current, boolean drifted) {
        ContextItem item = compare(ContextItem.cost("cost.x", following), ContextItem.cost("cost.x", current));
        assertThat(item.drifted()).isEqualTo(drifted);
        assertThat(item.wanted()).contains(following);
        assertThat(item.advice().isEmpty()).isEqualTo(!drifted);
    }

    @Test
    void ignoresValuesUnknownToEitherRun() {
        assertThat(compare(ContextItem.cost("cost.x", ""), ContextItem.cost("cost.x", "9"))
                        .drifted())
                .isFalse();
        assertThat(compare(ContextItem.cost("cost.x", "1"), ContextItem.cost("cost.x", ""))
                        .drifted())
                .isFalse();
        assertThat(compare(ContextItem.fact("a", "1"), ContextItem.fact("b", "2"))
                        .drifted())
                .isFalse();
        assertThat(compare(ContextItem.measure("rtt", "1"), ContextItem.measure("rtt", "2"))
                        .drifted())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "nothing"})
    void refusesInvalidReports(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Baseline.parse(text))
                .withMessageContaining("postern context --json");
    }
}
