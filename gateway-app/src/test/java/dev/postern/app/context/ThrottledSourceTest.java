package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottledSourceTest {

    private static final String LAG = "event-loops.lag-ms";

    private long now = Long.MAX_VALUE - 5;
    private double seconds;
    private final ContextSources.ThrottledSource lag =
            new ContextSources.ThrottledSource(new LoopLag(() -> seconds), Duration.ofSeconds(5), () -> now);

    private ContextItem itemAfter(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        return ContextItems.item(lag, LAG);
    }

    @Test
    void aCachedReadingIsNoRepetition() {
        seconds = 0.2;
        for (int i = 0; i < 100; i++) {
            assertThat(itemAfter(49).drifted()).isFalse();
        }
        seconds = 0;
        for (int i = 0; i < 100; i++) {
            assertThat(itemAfter(4_000).drifted()).isFalse();
        }
    }

    @Test
    void reportsTwoReadingsHoweverOftenItIsCalled() {
        seconds = 0.2;
        for (int i = 0; i < 50; i++) {
            assertThat(itemAfter(100).drifted()).isFalse();
        }
        assertThat(itemAfter(100).drifted()).isTrue();
    }

    @Test
    void readsAtIntervals() {
        List<ContextItem> shown = lag.items();
        now += 4_999_999_999L;
        assertThat(lag.items()).isSameAs(shown);
        now += 1;
        assertThat(lag.items()).isNotSameAs(shown);
    }
}
