package dev.postern.core.http2.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.KeyDefaults;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what honest peers send many times, beside the limits that {@link AbuseLimitsTest} tests. */
class HonestFramesTest {

    private static final Gcra TWO_A_MINUTE = Gcra.of(2, 60_000_000, 1);
    private static final AbuseLimits.Rates RATES = new AbuseLimits.Rates(TWO_A_MINUTE, TWO_A_MINUTE, TWO_A_MINUTE);
    private static final Cancellation AT_ONCE = new Cancellation(0, false, false);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final AbuseLimits limits = new AbuseLimits(RATES, 2, 16_384, 65_535, ticker);

    /**
     * Sends, for ten minutes, ten times what a busy client sends in each second: 100 requests with a priority and a body, of which it cancels
     * every 200th, window updates for responses of 64 KiB, and a PING and SETTINGS now and then.
     */
    @Test
    void allowsTenTimesABusyClient() {
        AbuseLimits ordinary = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        Set<AbuseLimit> exceeded = new HashSet<>();
        for (int i = 0; i < 600_000; i++) {
            ticker.advance(1, TimeUnit.MILLISECONDS);
            exceeded.add(ordinary.frame(AbuseLimits.HEADERS, AbuseLimits.END_HEADERS, 200));
            exceeded.add(ordinary.frame(0x10, 0, 6));
            exceeded.add(ordinary.frame(AbuseLimits.DATA, AbuseLimits.END_STREAM, 0));
            ordinary.sent(65_536);
            for (int j = 0; j < 8; j++) {
                exceeded.add(ordinary.frame(AbuseLimits.WINDOW_UPDATE, 0, 4));
            }
            if (i % 200 == 0) {
                exceeded.add(ordinary.cancelled(AT_ONCE));
            }
            if (i % 1_000 == 0) {
                exceeded.add(ordinary.frame(AbuseLimits.PING, 0, 8));
            }
            if (i % 60_000 == 0) {
                exceeded.add(ordinary.frame(AbuseLimits.SETTINGS, 0, 6));
            }
        }
        exceeded.add(ordinary.frame(AbuseLimits.GOAWAY, 0, 8));
        exceeded.add(ordinary.frame(AbuseLimits.GOAWAY, 0, 8));
        assertThat(exceeded).containsOnlyNulls();
    }

    /**
     * Receives, for ten minutes, 1,000 calls of gRPC in each second, and answers each DATA frame by a PING, as grpc-go does to measure the
     * connection; beside, an attacker sends as many PINGs and receives nothing.
     */
    @Test
    void allowsAPingForEachFrameReceived() {
        AbuseLimits honest = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        AbuseLimits attacker = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        Set<AbuseLimit> exceeded = new HashSet<>();
        int caught = 0;
        for (int i = 0; i < 600_000; i++) {
            ticker.advance(1, TimeUnit.MILLISECONDS);
            honest.headersSent();
            honest.dataSent(5, 1, true);
            honest.headersSent();
            exceeded.add(honest.frame(AbuseLimits.PING, 0, 8));
            if (caught == 0 && attacker.frame(AbuseLimits.PING, 0, 8) != null) {
                caught = i;
            }
        }
        assertThat(exceeded).containsOnlyNulls();
        assertThat(caught).isBetween(600, 610);
    }

    /**
     * Resets, for ten minutes, ten times as many streams as {@code max-resets} alone allows, of which an upstream completes as many others;
     * beside, an attacker resets each of its streams at once.
     */
    @Test
    void allowsAsManyResetsAsCompletedExchanges() {
        AbuseLimits honest = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        AbuseLimits attacker = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        Set<AbuseLimit> exceeded = new HashSet<>();
        int caught = 0;
        for (int i = 0; i < 40_000; i++) {
            ticker.advance(15, TimeUnit.MILLISECONDS);
            honest.completed();
            exceeded.add(honest.cancelled(AT_ONCE));
            if (caught == 0 && attacker.cancelled(AT_ONCE) != null) {
                caught = i;
            }
        }
        assertThat(exceeded).containsOnlyNulls();
        assertThat(caught).isBetween(400, 450);
    }

    /** An upstream hangs after 10,000 requests: the deadlines of the next 10,000 pass, 1,000 in a second. */
    @Test
    void allowsTheDeadlinesOfAnIncident() {
        AbuseLimits ordinary = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        for (int i = 0; i < 20_000; i++) {
            ordinary.completed();
        }
        Set<AbuseLimit> exceeded = new HashSet<>();
        for (int i = 0; i < 10_400; i++) {
            ticker.advance(1, TimeUnit.MILLISECONDS);
            exceeded.add(ordinary.cancelled(new Cancellation(2_000_000_000, false, false)));
        }
        assertThat(exceeded).containsOnlyNulls();
        for (int i = 0; i < 400; i++) {
            exceeded.add(ordinary.cancelled(AT_ONCE));
        }
        assertThat(exceeded).as("no more than 10,000 are saved").contains(AbuseLimit.RESETS);
    }

    @Test
    void allowsWhatIsUnderWayWhenAStreamIsReset() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(limits.late()).isNull();
        }
        assertThat(limits.late()).isEqualTo(AbuseLimit.LATE_FRAMES);
        limits.reset(65_535);
        for (int i = 0; i < 9_999; i++) {
            assertThat(limits.late()).isNull();
        }
        assertThat(limits.late()).isEqualTo(AbuseLimit.LATE_FRAMES);
    }

    @Test
    void allowsAGrownWindowOfSmallFramesWhenItsStreamIsReset() {
        int window = 4 << 20;
        limits.reset(window);
        for (int i = 0; i < window / 7 + 10_000; i++) {
            assertThat(limits.late()).isNull();
        }
        assertThat(limits.late()).isEqualTo(AbuseLimit.LATE_FRAMES);
    }

    @Test
    void ignoresFramesWithContent() {
        for (int i = 0; i < 1000; i++) {
            assertThat(limits.frame(AbuseLimits.DATA, 0, 1)).isNull();
            assertThat(limits.frame(AbuseLimits.DATA, AbuseLimits.END_STREAM, 0))
                    .isNull();
            assertThat(limits.frame(AbuseLimits.HEADERS, AbuseLimits.END_HEADERS, 9))
                    .isNull();
        }
    }

    @Test
    void allowsPrioritiesOfRequests() {
        for (int i = 0; i < 1000; i++) {
            assertThat(limits.frame(AbuseLimits.HEADERS, AbuseLimits.END_HEADERS, 9))
                    .isNull();
            assertThat(limits.frame(AbuseLimits.PRIORITY, 0, 5)).isNull();
            assertThat(limits.frame(0x10, 0, 5)).isNull();
        }
        for (int i = 0; i < 999; i++) {
            assertThat(limits.frame(AbuseLimits.PRIORITY, 0, 5)).isNull();
        }
        assertThat(limits.frame(AbuseLimits.PRIORITY, 0, 5)).isEqualTo(AbuseLimit.PRIORITIES);
    }

    @Test
    void allowsWindowUpdatesForData() {
        for (int i = 0; i < 1000; i++) {
            assertThat(limits.frame(AbuseLimits.WINDOW_UPDATE, 0, 4)).isNull();
        }
        limits.sent(1);
        for (int i = 0; i < 10; i++) {
            assertThat(limits.frame(AbuseLimits.WINDOW_UPDATE, 0, 4)).isNull();
        }
        assertThat(limits.frame(AbuseLimits.WINDOW_UPDATE, 0, 4)).isEqualTo(AbuseLimit.WINDOW_UPDATES);
    }

    /** Sends the longest head that the largest {@code request-head} permits, in frames of the usual size. */
    @Test
    void allowsTheFramesOfALongHead() {
        AbuseLimits longHeads = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 1 << 20, ticker);
        assertThat(longHeads.frame(AbuseLimits.HEADERS, 0, 16_384)).isNull();
        for (int i = 0; i < 63; i++) {
            assertThat(longHeads.frame(AbuseLimits.CONTINUATION, 0, 16_384)).isNull();
        }
        AbuseLimit exceeded = null;
        for (int i = 0; i < 66; i++) {
            exceeded = longHeads.frame(AbuseLimits.CONTINUATION, 0, 1);
        }
        assertThat(exceeded).isEqualTo(AbuseLimit.CONTINUATIONS);
    }

    /** Makes ten times as many errors as {@code max-stream-errors} alone allows, as a proxy with many users does. */
    @Test
    void allowsAsManyErrorsAsCompletedExchanges() {
        AbuseLimits honest = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        Set<AbuseLimit> exceeded = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            ticker.advance(30, TimeUnit.MILLISECONDS);
            honest.completed();
            exceeded.add(honest.fault());
        }
        assertThat(exceeded).containsOnlyNulls();
        for (int i = 0; i < 10_300; i++) {
            exceeded.add(honest.fault());
        }
        assertThat(exceeded).contains(AbuseLimit.FAULTS);
    }

    /** Sends an empty DATA frame after each one with content, as a client that flushes twice does; padding is no content. */
    @Test
    void allowsAnEmptyFrameForEachFull() {
        AbuseLimits honest = AbuseLimits.of(KeyDefaults.of(Http2Limits.class), 16_384, ticker);
        Set<AbuseLimit> exceeded = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            exceeded.add(honest.frame(AbuseLimits.DATA, 0, 100));
            exceeded.add(honest.frame(AbuseLimits.DATA, 0, 0));
        }
        assertThat(exceeded).containsOnlyNulls();
        for (int i = 0; i < 2_000; i++) {
            exceeded.add(honest.frame(AbuseLimits.DATA, AbuseLimits.PADDED, 3));
            exceeded.add(honest.empty());
        }
        assertThat(exceeded).contains(AbuseLimit.EMPTY_FRAMES);
    }

    /** Receives what a client with a window of 1 MiB has under way, in the smallest messages of gRPC, when its stream is reset. */
    @Test
    void allowsWhatIsUnderWayInALargeWindow() {
        AbuseLimits wide = new AbuseLimits(RATES, 2, 16_384, 1 << 20, ticker);
        for (int i = 0; i < (1 << 20) / 7; i++) {
            assertThat(wide.late()).isNull();
        }
        assertThat(wide.late()).isEqualTo(AbuseLimit.LATE_FRAMES);
    }
}
