package dev.postern.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutageLogTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<String> lines = new ArrayList<>();
    private final OutageLog log =
            new OutageLog("store host:1", line -> lines.add("WARN " + line), line -> lines.add("INFO " + line), ticker);

    @Test
    void logsTheConnectionOnce() {
        for (int i = 0; i < 3; i++) {
            log.available();
        }

        assertThat(lines).containsExactly("INFO store host:1 is connected");
    }

    @Test
    void logsStartEndAndEachMinuteOfAnOutage() {
        log.available();
        lines.clear();
        for (int tick = 0; tick <= 10 * 150; tick++) {
            log.unavailable("connection refused", true);
            pass(100);
        }
        log.available();
        log.available();

        assertThat(lines)
                .containsExactly(
                        "WARN store host:1 is away: connection refused (trying again)",
                        "WARN store host:1 is still away after 1 min: connection refused (trying again)",
                        "WARN store host:1 is still away after 2 min: connection refused (trying again)",
                        "INFO store host:1 is back after 2 min");
    }

    @Test
    void logsAnOutageFromTheStart() {
        log.unavailable("connection refused", true);
        pass(250);
        log.unavailable("connection refused", true);
        pass(4_000);
        log.available();

        assertThat(lines)
                .containsExactly(
                        "WARN store host:1 is away: connection refused (trying again)",
                        "INFO store host:1 is back after 4 s");
    }

    @Test
    void waitsForACauseBeforeTheFirstLine() {
        log.unavailable("not connected", false);
        pass(1_900);
        log.unavailable("not connected", false);
        assertThat(lines).isEmpty();
        log.unavailable("not connected: connection refused", true);

        assertThat(lines)
                .containsExactly("WARN store host:1 is away: not connected: connection refused (trying again)");
    }

    @Test
    void logsAnOutageWithoutACauseAfterTwoSeconds() {
        log.unavailable("not connected", false);
        pass(2_000);
        log.unavailable("not connected", false);

        assertThat(lines).containsExactly("WARN store host:1 is away: not connected (trying again)");
    }

    @Test
    void ignoresAShortOutage() {
        log.available();
        lines.clear();
        for (int i = 0; i < 100; i++) {
            log.unavailable("connection lost", true);
            pass(249);
            log.unavailable("connection lost", true);
            log.available();
        }

        assertThat(lines).isEmpty();
    }

    @Test
    void logsACauseThatIsKnownLater() {
        for (int i = 0; i < 5; i++) {
            log.unavailable("not yet", false);
            pass(1000);
        }
        log.unavailable("a replica", true);
        pass(1000);
        log.unavailable("another replica", true);

        assertThat(lines)
                .containsExactly(
                        "WARN store host:1 is away: not yet (trying again)",
                        "WARN store host:1 is still away after 5 s: a replica (trying again)");
    }

    @Test
    void logsAnotherCauseAfterTenSeconds() {
        for (int tick = 0; tick < 200; tick++) {
            log.unavailable(tick < 9 ? "no response in time" : "WRONGPASS", true);
            pass(100);
        }

        assertThat(lines)
                .containsExactly(
                        "WARN store host:1 is away: no response in time (trying again)",
                        "WARN store host:1 is still away after 10 s: WRONGPASS (trying again)");
    }

    @Test
    void logsCausesInTurnEachTenSecondsAtMost() {
        for (int tick = 0; tick < 600; tick++) {
            log.unavailable(tick % 2 == 0 ? "connection lost" : "connection refused", true);
            pass(100);
        }

        assertThat(lines).hasSizeBetween(2, 6);
    }

    @Test
    void countsTheMinutesOfEachOutageSeparately() {
        for (int outage = 0; outage < 2; outage++) {
            log.unavailable("connection lost", true);
            pass(59_000);
            log.unavailable("connection lost", true);
            pass(59_000);
            log.unavailable("connection lost", true);
            log.available();
        }

        assertThat(lines)
                .containsExactly(
                        "WARN store host:1 is away: connection lost (trying again)",
                        "INFO store host:1 is back after 1 min",
                        "WARN store host:1 is away: connection lost (trying again)",
                        "INFO store host:1 is back after 1 min");
    }

    private void pass(long millis) {
        ticker.advance(millis, TimeUnit.MILLISECONDS);
    }
}
