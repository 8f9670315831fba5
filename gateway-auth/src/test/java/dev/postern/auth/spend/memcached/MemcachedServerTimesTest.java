package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how long a connection is kept, and which failures count for it. */
class MemcachedServerTimesTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final MemcachedFixture fixture = new MemcachedFixture(1, ticker);
    private final MemcachedServer server = fixture.server();

    @BeforeEach
    void open() {
        server.maintain(ticker.nanoTime());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void replacesAConnectionThatIsNotVerifiedForMoreThanThreeSeconds() {
        pass(PATIENCE);
        assertThat(fixture.connections).hasSize(1);

        pass(1);

        assertThat(fixture.connections).hasSize(2);
        assertThat(fixture.connections.get(0).closed).isTrue();
    }

    @Test
    void countsFailuresOfEachConnectionFromZero() {
        fixture.connect();
        ticker.advance(PATIENCE, TimeUnit.NANOSECONDS);
        fixture.respondToMarkerCheck();
        fixture.fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW);
        server.maintain(ticker.nanoTime());
        assertThat(fixture.connections).hasSize(2);

        pass(PATIENCE);

        assertThat(fixture.connections).hasSize(2);
        assertThat(fixture.connection().closed).isFalse();
    }

    @Test
    void dropsFailuresFromBeforeTheMarkerWasReadAlsoWhileTheBreakerIsClosed() {
        fixture.connect();
        fixture.fail(server, 31);

        fixture.respondToMarkerCheck();
        fixture.fail(server, 31);

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }

    private void pass(long nanos) {
        ticker.advance(nanos, TimeUnit.NANOSECONDS);
        server.maintain(ticker.nanoTime());
    }
}
