package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.core.testing.LogLines;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EpochMarkerCheckTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String KEEPS = "STAT evictions off\r\nEND\r\n";
    private static final String EVICTS = "STAT evictions on\r\nEND\r\n";
    private static final String NO_EVICTIONS = "STAT evictions 0\r\nEND\r\n";
    private static final String NOT_STORED = "NOT_STORED\r\n";

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer.Server server = new MemcachedServer.Server("127.0.0.1:1", "127.0.0.1", 1, 0, true);
    private final List<Boolean> verified = new ArrayList<>();
    private final EpochMarkerCheck check = new EpochMarkerCheck(
            server, fixture.resources, fixture.encoding, (wasAway, nanos) -> verified.add(wasAway));
    private final FakeMemcachedConnection connection =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void start() {
        check.start(connection);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void addsAMarkerWhereNoneExistsAndElseUsesTheExistingOne() {
        assertThat(connection.response(KEEPS)).isEqualTo("stats settings\r\n");
        assertThat(connection.response(NO_EVICTIONS)).isEqualTo("stats\r\n");
        assertThat(connection.response(NOT_STORED)).matches("add test:1:epoch 0 0 34\r\n[0-9a-f]{32}:0\r\n");
        assertThat(connection.connection().marker()).isNull();
        assertThat(connection.response(markerResponse(MemcachedFixture.MARKER, 7)))
                .isEqualTo("gets test:1:epoch\r\n");

        assertThat(connection.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
        assertThat(fixture.state.marker(0)).isEqualTo(MemcachedFixture.MARKER);
        assertThat(verified).containsExactly(true);
        assertThat(fixture.events("memory-lost")).isZero();
    }

    @Test
    void createsADifferentMarkerEachTime() {
        EpochMarkerCheck other = new EpochMarkerCheck(
                server, fixture.resources, fixture.encoding, (wasAway, nanos) -> verified.add(wasAway));
        connection.next();
        connection.next();
        String first = FakeMemcachedConnection.text(connection.next());
        connection.next();
        other.start(connection);
        connection.next();
        connection.next();

        assertThat(FakeMemcachedConnection.text(connection.next())).isNotEqualTo(first);
    }

    @Test
    void checksEverySecond() {
        respondWithMarker(MemcachedFixture.MARKER);
        long now = Ticker.systemTicker().nanoTime();

        check.maintain(connection, now, false);
        assertThat(connection.waiting()).isZero();
        check.maintain(connection, now + SECOND, false);
        assertThat(connection.waiting()).isEqualTo(4);
        check.maintain(connection, now + SECOND, false);
        assertThat(connection.waiting()).as("already requested").isEqualTo(4);

        respondWithMarker(MemcachedFixture.MARKER);
        assertThat(verified).containsExactly(true, false);
    }

    /** The ticker of a process that has just started is near 0, which must not count as the time of a check. */
    @Test
    void checksAtOnceRightAfterTheStartOfTheProcess() {
        Ticker ticker = Ticker.newMockTicker();
        LedgerScheduler young = new LedgerScheduler(ticker);
        StoreResources resources = new StoreResources(
                fixture.state,
                fixture.spent,
                new LedgerMeters(new SimpleMeterRegistry()),
                young,
                new EventLoopLocal<>(EventLoopDeadlines::new),
                MemcachedFixture.DEADLINE);
        EpochMarkerCheck first = new EpochMarkerCheck(server, resources, fixture.encoding, (wasAway, nanos) -> {});
        FakeMemcachedConnection other =
                new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
        other.ticker = ticker;

        first.maintain(other, young.nanos(), false);

        assertThat(other.waiting()).isEqualTo(4);
        young.close();
    }

    @Test
    void checksAtOnceWhenAnotherConnectionHasReadAnotherMarker() {
        respondWithMarker(MemcachedFixture.MARKER);
        fixture.state.observed(0, MemcachedFixture.OTHER_MARKER);

        check.maintain(connection, Ticker.systemTicker().nanoTime(), false);

        assertThat(connection.waiting()).isEqualTo(4);
    }

    @Test
    void detectsAnotherMarker() {
        respondWithMarker(MemcachedFixture.MARKER);
        byte[] epoch = fixture.state.epoch();
        check.start(connection);

        respondWithMarker(MemcachedFixture.OTHER_MARKER);

        assertThat(connection.connection().marker()).isEqualTo(MemcachedFixture.OTHER_MARKER);
        assertThat(fixture.state.epoch()).isNotEqualTo(epoch);
        assertThat(fixture.events("memory-lost")).isEqualTo(1);
    }

    @Test
    void revokesTheMarkerWhenTheServerStopsResponding() {
        respondWithMarker(MemcachedFixture.MARKER);
        check.start(connection);
        long now = Ticker.systemTicker().nanoTime();

        check.maintain(connection, now, false);
        assertThat(connection.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
        assertThat(connection.waiting()).isEqualTo(4);
        check.maintain(connection, now + SECOND, false);

        assertThat(connection.connection().marker()).isNull();
        assertThat(connection.waiting()).as("requests again").isEqualTo(8);
    }

    @Test
    void revokesTheMarkerWhenTheServerCannotStoreOne() {
        for (String response : new String[] {"END\r\n", "SERVER_ERROR out of memory\r\n"}) {
            respondWithMarker(MemcachedFixture.MARKER);
            check.start(connection);
            connection.response(KEEPS);
            connection.response(NO_EVICTIONS);
            connection.response(NOT_STORED);

            connection.response(response);

            assertThat(connection.connection().marker()).isNull();
            check.maintain(connection, Ticker.systemTicker().nanoTime() + SECOND, false);
            assertThat(connection.waiting()).as("requests again").isEqualTo(4);
        }
    }

    @Test
    void replacesTheMarkerOfAServerThatEvictedSince() {
        respondWithMarker(MemcachedFixture.MARKER);
        check.start(connection);
        connection.response(KEEPS);
        connection.response("STAT evictions 3\r\nEND\r\n");
        connection.response(NOT_STORED);

        connection.response(markerResponse(MemcachedFixture.MARKER, 77));

        assertThat(connection.connection().marker())
                .as("nothing is fresh meanwhile")
                .isNull();
        assertThat(fixture.events("evicted")).isEqualTo(1);
        assertThat(connection.response("STORED\r\n")).matches("cas test:1:epoch 0 0 34 77\r\n[0-9a-f]{32}:3\r\n");
        assertThat(FakeMemcachedConnection.text(connection.next()))
                .as("checks again")
                .isEqualTo("stats settings\r\n");
        assertThat(verified).hasSize(1);
    }

    /** After {@code stats reset} as many evictions as before would show nothing. */
    @Test
    void replacesTheMarkerOfAServerThatCountsEvictionsAnew() {
        byte[] before = "ffeeddccbbaa99887766554433221100:3".getBytes(US_ASCII);
        respondWithMarker(before);
        assertThat(connection.connection().marker()).as("perhaps newer").isEqualTo(before);
        check.start(connection);

        respondWithMarker(before);

        assertThat(connection.connection().marker()).isNull();
        assertThat(FakeMemcachedConnection.text(connection.next()))
                .matches("cas test:1:epoch 0 0 34 \\d+\r\n[0-9a-f]{32}:0\r\n");
    }

    @Test
    void usesAMarkerThatAnotherGatewayAddedAfterTheSameEvictions() {
        byte[] theirs = "ffeeddccbbaa99887766554433221100:3".getBytes(US_ASCII);
        connection.response(KEEPS);
        connection.response("STAT evictions 3\r\nEND\r\n");
        connection.response(NOT_STORED);

        connection.response(markerResponse(theirs, 77));

        assertThat(connection.connection().marker()).isEqualTo(theirs);
        assertThat(fixture.events("evicted")).isZero();
    }

    @Test
    void replacesAnInvalidMarker() {
        connection.response(KEEPS);
        connection.response(NO_EVICTIONS);
        connection.response(NOT_STORED);

        connection.response(markerResponse("hello".getBytes(US_ASCII), 1));

        assertThat(connection.connection().marker()).isNull();
        assertThat(FakeMemcachedConnection.text(connection.next())).startsWith("cas test:1:epoch 0 0 34 1\r\n");
    }

    @Test
    void usesTheMarkerOfAServerWithoutEvictionCounters() {
        connection.response("END\r\n");
        connection.response("END\r\n");
        connection.response(NOT_STORED);

        connection.response(markerResponse(MemcachedFixture.MARKER, 7));

        assertThat(connection.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
    }

    @Test
    void keepsAMarkerThatIsNewerThanTheStatistics() {
        byte[] theirs = "ffeeddccbbaa99887766554433221100:3".getBytes(US_ASCII);

        respondWithMarker(theirs);

        assertThat(connection.connection().marker()).isEqualTo(theirs);
        assertThat(fixture.events("evicted")).isZero();
    }

    @Test
    void knowsWhetherTheServerMayEvictBeforeItsMarker() {
        assertThat(check.mayEvict()).isFalse();
        connection.response("STAT evictions on\r\nSTAT growth_factor 1.25\r\nEND\r\n");
        assertThat(check.mayEvict()).isTrue();
        connection.response(NO_EVICTIONS);
        connection.response(NOT_STORED);
        connection.response(markerResponse(MemcachedFixture.MARKER, 7));
        assertThat(connection.connection().marker()).isEqualTo(MemcachedFixture.MARKER);

        check.start(connection);
        connection.response(KEEPS);
        assertThat(check.mayEvict()).isFalse();
    }

    @Test
    void warnsOfEvictionsWhenTheyAreTurnedOn() {
        try (LogLines log = new LogLines(EpochMarkerCheck.class)) {
            for (String settings : new String[] {KEEPS, EVICTS, EVICTS, KEEPS, EVICTS}) {
                connection.response(settings);
                connection.response(NO_EVICTIONS);
                connection.response(NOT_STORED);
                connection.response(markerResponse(MemcachedFixture.MARKER, 7));
                check.start(connection);
            }

            assertThat(log.lines())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("memcached 127.0.0.1:1: evictions: on (expected: off"));
        }
    }

    @Test
    void requestsNoStatisticsFromARouter() {
        EpochMarkerCheck routed = new EpochMarkerCheck(
                MemcachedFixture.SERVER,
                fixture.resources,
                fixture.encoding,
                (wasAway, nanos) -> verified.add(wasAway));
        FakeMemcachedConnection other =
                new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
        routed.start(other);

        assertThat(other.response("STORED\r\n")).startsWith("add test:1:epoch ");
        assertThat(other.response(markerResponse(MemcachedFixture.MARKER, 7))).startsWith("gets ");
        assertThat(other.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
        assertThat(other.waiting()).isZero();
    }

    @Test
    void triesAgainSoonWhenARequestCouldNotBeSent() {
        FakeMemcachedConnection closed =
                new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
        closed.takes = false;
        EpochMarkerCheck other = new EpochMarkerCheck(
                server, fixture.resources, fixture.encoding, (wasAway, nanos) -> verified.add(wasAway));
        other.start(closed);
        closed.takes = true;

        other.maintain(closed, Ticker.systemTicker().nanoTime() + 1, false);

        assertThat(closed.waiting()).isEqualTo(4);
    }

    @Test
    void waitsForTheNextConnectionAfterAClose() {
        for (int i = 0; i < 4; i++) {
            connection.next().drop();
        }

        check.maintain(connection, Ticker.systemTicker().nanoTime(), false);

        assertThat(connection.waiting()).isZero();
        assertThat(verified).isEmpty();
    }

    private void respondWithMarker(byte[] marker) {
        connection.response(KEEPS);
        connection.response(NO_EVICTIONS);
        connection.response(NOT_STORED);
        connection.response(markerResponse(marker, 7));
    }

    private static String markerResponse(byte[] marker, long cas) {
        String text = new String(marker, US_ASCII);
        return "VALUE test:1:epoch 0 " + text.length() + " " + cas + "\r\n" + text + "\r\nEND\r\n";
    }
}
