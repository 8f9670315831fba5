package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
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
        connect();
        ticker.advance(PATIENCE, TimeUnit.NANOSECONDS);
        respondToMarkerCheck();
        fail(MemcachedServer.MAX_FAILURES_IN_A_ROW);
        server.maintain(ticker.nanoTime());
        assertThat(fixture.connections).hasSize(2);

        pass(PATIENCE);

        assertThat(fixture.connections).hasSize(2);
        assertThat(fixture.connection().closed).isFalse();
    }

    @Test
    void dropsFailuresFromBeforeTheMarkerWasReadAlsoWhileTheBreakerIsClosed() {
        connect();
        fail(31);

        respondToMarkerCheck();
        fail(31);

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }

    private void pass(long nanos) {
        ticker.advance(nanos, TimeUnit.NANOSECONDS);
        server.maintain(ticker.nanoTime());
    }

    private void connect() {
        fixture.connection().connection().established();
        fixture.settle();
    }

    private void respondToMarkerCheck() {
        fixture.connection().response("NOT_STORED\r\n");
        String marker = new String(MemcachedFixture.MARKER, US_ASCII);
        fixture.connection().response("VALUE test:1:epoch 0 " + marker.length() + " 1\r\n" + marker + "\r\nEND\r\n");
        fixture.settle();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            server.timedOut();
        }
    }
}
