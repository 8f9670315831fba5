package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.internal.PlatformDependent;
import org.junit.jupiter.api.Test;

class ReceiveWindowsTest {

    @Test
    void grantsNoMoreThanTheBudget() {
        ReceiveWindows windows = new ReceiveWindows(100, channel -> 0);

        assertThat(windows.take(70)).isEqualTo(70);
        assertThat(windows.take(70)).isEqualTo(30);
        assertThat(windows.take(70)).isZero();
        windows.give(40);
        assertThat(windows.granted()).isEqualTo(60);
        assertThat(windows.take(70)).isEqualTo(40);
    }

    @Test
    void hasHalfOfTheDirectMemoryAndNoGrowthUntilConfigured() {
        ReceiveWindows windows = ReceiveWindows.ofDirectMemory();
        int half = (int) Math.min(Integer.MAX_VALUE, PlatformDependent.maxDirectMemory() / 2);

        assertThat(windows.max()).isZero();
        assertThat(windows.take(Integer.MAX_VALUE)).isEqualTo(half);
    }

    @Test
    void knowsNoRoundTripWhereTheTransportReportsNone() {
        assertThat(ReceiveWindows.ofDirectMemory().roundTrip(new EmbeddedChannel()))
                .isZero();
    }
}
