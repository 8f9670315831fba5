package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.KeyRange;
import dev.postern.core.config.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the range of each key is checked, and that its ends are accepted. */
class KeyRangesTest {

    @TempDir
    private static Path folder;

    private static CompleteConfiguration complete;

    @BeforeAll
    static void files() throws IOException {
        complete = CompleteConfiguration.in(folder);
    }

    static Stream<Arguments> ranges() {
        return ranges(ConfigSchema.of(GatewayConfig.class), "");
    }

    private static Stream<Arguments> ranges(ConfigSchema schema, String path) {
        return switch (schema.kind()) {
            case RECORD -> schema.fields().stream().flatMap(field -> ranges(field, path + field.key()));
            case LIST -> ranges(schema.element(), path + "0.");
            case MAP -> ranges(schema.element(), path + "default.");
            case LEAF -> Stream.of();
        };
    }

    private static Stream<Arguments> ranges(ConfigSchema.Field field, String key) {
        KeyRange range = KeyRange.of(field.about());
        if (range == null) {
            return ranges(field.schema(), key + ".");
        }
        boolean map = field.schema().kind() == ConfigSchema.Kind.MAP;
        ConfigSchema value = map ? field.schema().element() : field.schema();
        return Stream.of(Arguments.of(map ? key + ".shop" : key, value.raw(), range));
    }

    @Test
    void manyKeysHaveARange() {
        assertThat(ranges()).hasSizeGreaterThan(80);
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void valuesOutsideAreRefused(String key, Class<?> type, KeyRange range) {
        for (String outside : outside(type, range)) {
            assertThat(problems(key, outside))
                    .anyMatch(problem -> problem.endsWith(key + ": " + outside + " (expected: " + range + ")"));
        }
    }

    @ParameterizedTest
    @MethodSource("ranges")
    void endsAreAccepted(String key, Class<?> type, KeyRange range) {
        for (String end : List.of(range.min(), range.max())) {
            if (!end.isEmpty()) {
                assertThat(problems(key, end)).noneMatch(problem -> problem.contains("(expected: " + range + ")"));
            }
        }
    }

    /** Returns the values next to the ends that a key of that type can have. */
    private static List<String> outside(Class<?> type, KeyRange range) {
        List<String> outside = new ArrayList<>();
        if (type == Duration.class) {
            long least = DurationText.parse(range.min()).toNanos() / 1000;
            outside.add(DurationText.parse(range.max()).toMillis() + 1 + "ms");
            outside.add(least - 1 + "us");
        } else if (type == ByteSize.class) {
            outside.add(ByteSize.of(range.max()).bytes() + 1 + "B");
            outside.add(ByteSize.of(range.min()).bytes() - 1 + "B");
        } else if (type == Rate.class) {
            outside.add("0");
        } else {
            outside.add(Long.toString(Long.parseLong(range.max()) + 1));
            outside.add(Long.toString(Long.parseLong(range.min()) - 1));
        }
        outside.removeIf(text -> !readable(type, text));
        return outside;
    }

    private static boolean readable(Class<?> type, String text) {
        try {
            ScalarReaders.parse(type, text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static List<String> problems(String key, String value) {
        return complete.with(Map.of(key, value)).problems().stream()
                .map(Problem::toString)
                .toList();
    }

    /** {@code keep} is refused only for its own sake, not because it is below the default that replaces {@code absence}. */
    @Test
    void aValueOutOfRangeHidesNoOtherAndCausesNone() {
        String queue = "rate-limits.0.fair-queue.";
        LoadedConfig config =
                complete.with(Map.of(queue + "absence", "1s", queue + "keep", "10s", queue + "idle", "0"));
        assertThat(config.problems().stream().map(Problem::toString).map(text -> text.replaceFirst("^.*?: ", "")))
                .containsExactlyInAnyOrder(
                        queue + "absence: 1s (expected: 3s..1h)", queue + "idle: 0 (expected: 1s..1d)");
    }
}
