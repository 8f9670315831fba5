package dev.postern.core.http2.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionProbeTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long START = Long.MAX_VALUE - 3 * SECOND; // the ticker may pass its end

    private final SilenceWatch.ConnectionProbe probe = new SilenceWatch.ConnectionProbe(START);

    @Test
    void probesWithARequestAfterFiveSecondsOfSilence() {
        assertThat(probe.requested(START + 5 * SECOND)).isFalse();
        assertThat(probe.requested(START + 5 * SECOND + 1)).isTrue();
        assertThat(probe.requested(START + 6 * SECOND)).as("one is under way").isFalse();
        probe.read(START + 7 * SECOND);
        assertThat(probe.requested(START + 8 * SECOND)).isFalse();
        assertThat(probe.requested(START + 13 * SECOND)).isTrue();
    }

    @Test
    void probesWhenAResponseIsLate() {
        probe.read(START + 3 * SECOND);
        assertThat(probe.late(START + 4 * SECOND, START + 2 * SECOND))
                .as("bytes came a second ago")
                .isFalse();
        assertThat(probe.late(START + 4 * SECOND, START + 3 * SECOND))
                .as("none since the request")
                .isTrue();
        assertThat(probe.late(START + 4 * SECOND, START + 3 * SECOND))
                .as("one is under way")
                .isFalse();
        probe.read(START + 5 * SECOND);
        assertThat(probe.late(START + 6 * SECOND + 1, START))
                .as("more than a second of silence")
                .isTrue();
    }

    /** A server of gRPC counts the PINGs that it receives before it sends HEADERS or DATA again, and allows two. */
    @Test
    void sendsTwoPingsUntilTheServerSendsSomething() {
        long now = START;
        for (int i = 0; i < 2; i++) {
            now += 6 * SECOND;
            assertThat(probe.requested(now)).isTrue();
            probe.read(now);
        }
        now += 6 * SECOND;
        assertThat(probe.requested(now)).isFalse();
        assertThat(probe.late(now, now - SECOND)).isFalse();
        probe.read(now);
        probe.progressed();
        assertThat(probe.requested(now + 6 * SECOND)).isTrue();
    }

    @Test
    void isStalledFromATimeoutToTheNextResponse() {
        assertThat(probe.stalled()).isFalse();
        probe.late(START + 2, START + 1);
        probe.read(START + 3);
        assertThat(probe.stalled()).as("an acknowledgement is no response").isTrue();
        probe.progressed();
        assertThat(probe.stalled()).isFalse();
    }
}
