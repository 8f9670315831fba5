package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GuessLimiterTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final GuessLimiter limiter = new GuessLimiter(ticker);

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private void guess(String text, int times) {
        for (int i = 0; i < times; i++) {
            limiter.wrong(address(text));
        }
    }

    @Test
    void permitsTenAtOnceAndThenOneInSixSeconds() {
        guess("192.0.2.1", GuessLimiter.BURST - 1);
        assertThat(limiter.pause(address("192.0.2.1"))).isZero();
        guess("192.0.2.1", 1);
        assertThat(limiter.pause(address("192.0.2.1"))).isEqualTo(6);
        ticker.advance(5, TimeUnit.SECONDS);
        assertThat(limiter.pause(address("192.0.2.1"))).isEqualTo(1);
        ticker.advance(1, TimeUnit.SECONDS);
        assertThat(limiter.pause(address("192.0.2.1"))).isZero();
    }

    @Test
    void limitsEachAddressAlone() {
        guess("192.0.2.1", GuessLimiter.BURST);
        assertThat(limiter.pause(address("192.0.2.2"))).isZero();
        guess("2001:db8:0:1::1", GuessLimiter.BURST);
        assertThat(limiter.pause(address("2001:db8:0:1::2"))).as("the same /64").isPositive();
        assertThat(limiter.pause(address("2001:db8:0:2::1"))).isZero();
    }

    @Test
    void forgetsTheAddressThatSentNoneForLongest() {
        guess("192.0.2.1", GuessLimiter.BURST);
        guess("192.0.2.2", GuessLimiter.BURST);
        for (int i = 2; i < GuessLimiter.MAX_ADDRESSES; i++) {
            guess("10.0." + i / 256 + "." + i % 256, 1);
        }
        assertThat(limiter.pause(address("192.0.2.1"))).isPositive();
        guess("192.0.2.1", 1);
        guess("10.1.0.0", 1);

        assertThat(limiter.pause(address("192.0.2.1"))).isPositive();
        assertThat(limiter.pause(address("192.0.2.2"))).isZero();
    }
}
