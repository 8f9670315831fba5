package dev.postern.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests histograms whose subjects become known while the process runs. */
class StripedHistogramTest {

    private static final List<String> KINDS = List.of("ok", "bad");

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final StripedHistogram histogram =
            StripedHistogram.growing(Meters.UPSTREAM_FIRST_BYTE, HistogramBounds.EXCHANGES, 3 * KINDS.size());

    @Test
    void eachSubjectHasASeriesOfEachKind() {
        int first = histogram.subject(KINDS, "a");
        int second = histogram.subject(KINDS, "b");
        histogram.on(channel.eventLoop()).record(first, 1_000, null);
        histogram.on(channel.eventLoop()).record(second + 1, 2_000, null);

        assertThat(histogram.of("a", "ok").sum()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(histogram.of("a", "bad").count()).isZero();
        assertThat(histogram.of("b", "bad").sum()).isEqualTo(Duration.ofNanos(2_000));
    }

    @Test
    void aKnownSubjectKeepsItsSeries() {
        int first = histogram.subject(KINDS, "a");
        histogram.subject(KINDS, "b");
        histogram.subject(KINDS, "c");

        assertThat(histogram.subject(KINDS, "a")).isEqualTo(first);
    }

    @Test
    void subjectsBeyondTheMaximumShareTheLastSeries() {
        histogram.subject(KINDS, "a");
        histogram.subject(KINDS, "b");
        int third = histogram.subject(KINDS, "c");
        int fourth = histogram.subject(KINDS, "d");

        assertThat(third).isEqualTo(fourth);
        assertThat(histogram.series())
                .containsExactly(
                        List.of("a", "ok"),
                        List.of("a", "bad"),
                        List.of("b", "ok"),
                        List.of("b", "bad"),
                        List.of("other", "ok"),
                        List.of("other", "bad"));
    }

    /** Prometheus rejects a page with the same series twice. */
    @Test
    void aSubjectNamedOtherSharesTheLastSeries() {
        int named = histogram.subject(KINDS, StripedHistogram.OTHER);
        histogram.subject(KINDS, "b");

        assertThat(histogram.subject(KINDS, "c")).isEqualTo(named);
        assertThat(histogram.series()).doesNotHaveDuplicates();
    }

    @Test
    void boundsOfExchangesReachFromFiveMillisecondsToAMinute() {
        assertThat(HistogramBounds.EXCHANGES.durations())
                .isSorted()
                .startsWith(Duration.ofMillis(5))
                .endsWith(Duration.ofSeconds(60));
        assertThat(HistogramBounds.EXCHANGES.bucket(Duration.ofMillis(5).toNanos()))
                .isZero();
        assertThat(HistogramBounds.EXCHANGES.bucket(Duration.ofSeconds(60).toNanos() + 1))
                .isEqualTo(HistogramBounds.EXCHANGES.buckets() - 1);
    }
}
