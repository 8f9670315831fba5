package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when a check of the marker is due, and when a server without a response counts as silent. */
class EpochMarkerCheckTimesTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final MemcachedFixture fixture = new MemcachedFixture(1, ticker);
    private final EpochMarkerCheck check =
            new EpochMarkerCheck(MemcachedFixture.SERVER, fixture.resources, fixture.encoding, (wasAway, nanos) -> {});
    private final FakeMemcachedConnection connection =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void start() {
        connection.ticker = ticker;
        check.start(connection);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void waitsOneSecondForAResponse() {
        pass(SECOND);
        assertThat(check.trouble()).isEmpty();
        assertThat(connection.waiting()).isEqualTo(2);

        pass(1);

        assertThat(check.trouble()).isEqualTo(": no response for 1 s");
        assertThat(connection.waiting()).as("requests again").isEqualTo(4);
    }

    @Test
    void checksAgainWhenMoreThanASecondHasPassed() {
        connection.response("NOT_STORED\r\n");
        connection.response("VALUE test:1:epoch 0 34 7\r\n00112233445566778899aabbccddeeff:0\r\nEND\r\n");

        pass(SECOND);
        assertThat(connection.waiting()).isZero();
        pass(1);

        assertThat(connection.waiting()).isEqualTo(2);
    }

    private void pass(long nanos) {
        ticker.advance(nanos, TimeUnit.NANOSECONDS);
        check.maintain(connection, ticker.nanoTime(), false);
    }
}
