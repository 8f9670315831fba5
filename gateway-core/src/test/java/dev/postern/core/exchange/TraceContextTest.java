package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String GOOD = "00-" + TRACE + "-" + SPAN + "-01";

    @Test
    void readsTheExampleOfTheSpecification() {
        TraceContext context = TraceContext.parse(GOOD);

        assertThat(context).isNotNull();
        assertThat(context.traceId()).isEqualTo(TRACE);
        assertThat(context.spanId()).isEqualTo(SPAN);
        assertThat(context.sampled()).isTrue();
    }

    @Test
    void writesWhatItRead() {
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < 10_000; i++) {
            // Also ids with many leading zeros.
            int shift = random.nextInt(Long.SIZE);
            String text = "00-%016x%016x-%016x-%02x"
                    .formatted(
                            random.nextLong() >>> shift,
                            random.nextLong() | 1,
                            random.nextLong() >>> shift | 1,
                            random.nextInt(4));
            TraceContext context = TraceContext.parse(text);
            assertThat(context).as(text).isNotNull();
            assertThat(context.traceparent()).isEqualTo(text);
        }
    }

    @Test
    void aChangedCharacterIsReadUnchangedOrRefused() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(GOOD);
            text.setCharAt(random.nextInt(2, GOOD.length()), (char) random.nextInt(256));
            TraceContext context = TraceContext.parse(text.toString());
            if (context != null && (context.flags() == 0 || text.toString().endsWith("-01"))) {
                assertThat(context.traceparent().substring(0, 53))
                        .isEqualTo(text.toString().substring(0, 53));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-",
                "00-" + TRACE + "-" + SPAN + "-1",
                "00-" + TRACE + "-" + SPAN + "-011",
                "00-" + TRACE + "-" + SPAN + "-01-",
                "00-" + TRACE + "-" + SPAN + "-01-more",
                "00-" + TRACE + "-" + SPAN + "-0x",
                "00-" + TRACE + "-" + SPAN + "-0A",
                "00_" + TRACE + "-" + SPAN + "-01",
                "00-" + TRACE + "_" + SPAN + "-01",
                "00-" + TRACE + "-" + SPAN + "_01",
                "00-4BF92f3577b34da6a3ce929d0e0e4736-" + SPAN + "-01",
                "00-" + TRACE + "-00F067aa0ba902b7-01",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473-" + SPAN + "-01",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "ff-" + TRACE + "-" + SPAN + "-01-more",
                "0g-" + TRACE + "-" + SPAN + "-01",
                "CC-" + TRACE + "-" + SPAN + "-01",
                "cc-" + TRACE + "-" + SPAN + "-01.more",
                "cc-" + TRACE + "-" + SPAN + "-011",
                " " + GOOD,
                GOOD + " "
            })
    void ignoresMalformedValues(String text) {
        assertThat(TraceContext.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cc-" + TRACE + "-" + SPAN + "-01",
                "cc-" + TRACE + "-" + SPAN + "-01-what-the-future-will-be-like"
            })
    void readsTheKnownPartOfLaterVersions(String text) {
        TraceContext context = TraceContext.parse(text);

        assertThat(context).isNotNull();
        assertThat(context.traceparent()).isEqualTo(GOOD);
    }

    @ParameterizedTest
    @CsvSource({"00,00,false", "01,01,true", "02,02,false", "03,03,true", "fe,02,false", "ff,03,true"})
    void onlyKnownFlagsAreKept(String read, String written, boolean sampled) {
        TraceContext context = TraceContext.parse("00-" + TRACE + "-" + SPAN + "-" + read);

        assertThat(context).isNotNull();
        assertThat(context.sampled()).isEqualTo(sampled);
        assertThat(context.traceparent()).endsWith("-" + written);
    }

    @Test
    void aChildSpanKeepsTheTraceId() {
        TraceContext context = TraceContext.parse(GOOD);

        assertThat(context).isNotNull();
        assertThat(context.with(0xabc).traceparent()).isEqualTo("00-" + TRACE + "-0000000000000abc-01");
    }

    @Test
    void refusesIdsOfZeros() {
        assertThatThrownBy(() -> new TraceContext(0, 0, 1, 0)).hasMessageContaining("expected: other ids");
        assertThatThrownBy(() -> new TraceContext(0, 1, 0, 0)).hasMessageContaining("expected: other ids");
        assertThat(new TraceContext(1, 0, 1, 0).traceId()).isEqualTo("00000000000000010000000000000000");
    }
}
