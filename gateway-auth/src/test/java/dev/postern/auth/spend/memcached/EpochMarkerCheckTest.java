package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.StoreResources;
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
    private static final String NO_EVICTIONS = "STAT evictions 0\r\nEND\r\n";
    private static final String NOT_STORED = "NOT_STORED\r\n";

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer.Server server = new MemcachedServer.Server("127.0.0.1:1", "127.0.0.1", 1, 0, true);
    private final List<Boolean> verified = new ArrayList<>();
    private final EpochMarkerCheck check =
            new EpochMarkerCheck(server, fixture.resources, fixture.keys, (wasAway, nanos) -> verified.add(wasAway));
    private final FakeMemcachedConnection pipe =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));

    @BeforeEach
    void start() {
        check.start(pipe);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void addsAMarkerWhereNoneExistsAndElseUsesTheExistingOne() {
        assertThat(pipe.response(KEEPS)).isEqualTo("stats settings\r\n");
        assertThat(pipe.response(NO_EVICTIONS)).isEqualTo("stats\r\n");
        assertThat(pipe.response(NOT_STORED)).matches("add test:1:epoch 0 0 34\r\n[0-9a-f]{32}:0\r\n");
        assertThat(pipe.connection().mark()).isNull();
        assertThat(pipe.response(markerResponse(MemcachedFixture.MARK, 7))).isEqualTo("gets test:1:epoch\r\n");

        assertThat(pipe.connection().mark()).isEqualTo(MemcachedFixture.MARK);
        assertThat(fixture.marks.mark(0)).isEqualTo(MemcachedFixture.MARK);
        assertThat(verified).containsExactly(true);
        assertThat(fixture.events("memory-lost")).isZero();
    }

    @Test
    void createsADifferentMarkerEachTime() {
        EpochMarkerCheck other = new EpochMarkerCheck(
                server, fixture.resources, fixture.keys, (wasAway, nanos) -> verified.add(wasAway));
        pipe.next();
        pipe.next();
        String first = FakeMemcachedConnection.text(pipe.next());
        pipe.next();
        other.start(pipe);
        pipe.next();
        pipe.next();

        assertThat(FakeMemcachedConnection.text(pipe.next())).isNotEqualTo(first);
    }

    @Test
    void checksEverySecond() {
        respondWithMarker(MemcachedFixture.MARK);
        long now = Ticker.systemTicker().nanoTime();

        check.tend(pipe, now, false);
        assertThat(pipe.waiting()).isZero();
        check.tend(pipe, now + SECOND, false);
        assertThat(pipe.waiting()).isEqualTo(4);
        check.tend(pipe, now + SECOND, false);
        assertThat(pipe.waiting()).as("already requested").isEqualTo(4);

        respondWithMarker(MemcachedFixture.MARK);
        assertThat(verified).containsExactly(true, false);
    }

    /** The ticker of a process that has just started is near 0, which must not count as the time of a check. */
    @Test
    void checksAtOnceRightAfterTheStartOfTheProcess() {
        Ticker ticker = Ticker.newMockTicker();
        LedgerScheduler young = new LedgerScheduler(ticker);
        StoreResources resources = new StoreResources(
                fixture.marks,
                fixture.known,
                new LedgerMeters(new SimpleMeterRegistry()),
                young,
                new EventLoopLocal<>(EventLoopDeadlines::new),
                MemcachedFixture.DEADLINE);
        EpochMarkerCheck first = new EpochMarkerCheck(server, resources, fixture.keys, (wasAway, nanos) -> {});
        FakeMemcachedConnection other =
                new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
        other.ticker = ticker;

        first.tend(other, young.nanos(), false);

        assertThat(other.waiting()).isEqualTo(4);
        young.close();
    }

    @Test
    void checksAtOnceWhenAnotherConnectionHasReadAnotherMarker() {
        respondWithMarker(MemcachedFixture.MARK);
        fixture.marks.observed(0, MemcachedFixture.OTHER_MARK);

        check.tend(pipe, Ticker.systemTicker().nanoTime(), false);

        assertThat(pipe.waiting()).isEqualTo(4);
    }

    @Test
    void detectsAnotherMarker() {
        respondWithMarker(MemcachedFixture.MARK);
        byte[] epoch = fixture.marks.epoch();
        check.start(pipe);

        respondWithMarker(MemcachedFixture.OTHER_MARK);

        assertThat(pipe.connection().mark()).isEqualTo(MemcachedFixture.OTHER_MARK);
        assertThat(fixture.marks.epoch()).isNotEqualTo(epoch);
        assertThat(fixture.events("memory-lost")).isEqualTo(1);
    }

    @Test
    void revokesTheMarkerWhenTheServerStopsResponding() {
        respondWithMarker(MemcachedFixture.MARK);
        check.start(pipe);
        long now = Ticker.systemTicker().nanoTime();

        check.tend(pipe, now, false);
        assertThat(pipe.connection().mark()).isEqualTo(MemcachedFixture.MARK);
        assertThat(pipe.waiting()).isEqualTo(4);
        check.tend(pipe, now + SECOND, false);

        assertThat(pipe.connection().mark()).isNull();
        assertThat(pipe.waiting()).as("requests again").isEqualTo(8);
    }

    @Test
    void revokesTheMarkerWhenTheServerCannotStoreOne() {
        for (String response : new String[] {"END\r\n", "SERVER_ERROR out of memory\r\n"}) {
            respondWithMarker(MemcachedFixture.MARK);
            check.start(pipe);
            pipe.response(KEEPS);
            pipe.response(NO_EVICTIONS);
            pipe.response(NOT_STORED);

            pipe.response(response);

            assertThat(pipe.connection().mark()).isNull();
            check.tend(pipe, Ticker.systemTicker().nanoTime() + SECOND, false);
            assertThat(pipe.waiting()).as("requests again").isEqualTo(4);
        }
    }

    @Test
    void replacesTheMarkerOfAServerThatEvictedSince() {
        respondWithMarker(MemcachedFixture.MARK);
        check.start(pipe);
        pipe.response(KEEPS);
        pipe.response("STAT evictions 3\r\nEND\r\n");
        pipe.response(NOT_STORED);

        pipe.response(markerResponse(MemcachedFixture.MARK, 77));

        assertThat(pipe.connection().mark()).as("nothing is fresh meanwhile").isNull();
        assertThat(fixture.events("evicted")).isEqualTo(1);
        assertThat(pipe.response("STORED\r\n")).matches("cas test:1:epoch 0 0 34 77\r\n[0-9a-f]{32}:3\r\n");
        assertThat(FakeMemcachedConnection.text(pipe.next())).as("checks again").isEqualTo("stats settings\r\n");
        assertThat(verified).hasSize(1);
    }

    @Test
    void usesAMarkerThatAnotherGatewayAddedAfterTheSameEvictions() {
        byte[] theirs = "ffeeddccbbaa99887766554433221100:3".getBytes(US_ASCII);
        pipe.response(KEEPS);
        pipe.response("STAT evictions 3\r\nEND\r\n");
        pipe.response(NOT_STORED);

        pipe.response(markerResponse(theirs, 77));

        assertThat(pipe.connection().mark()).isEqualTo(theirs);
        assertThat(fixture.events("evicted")).isZero();
    }

    @Test
    void replacesAnInvalidMarker() {
        pipe.response(KEEPS);
        pipe.response(NO_EVICTIONS);
        pipe.response(NOT_STORED);

        pipe.response(markerResponse("hello".getBytes(US_ASCII), 1));

        assertThat(pipe.connection().mark()).isNull();
        assertThat(FakeMemcachedConnection.text(pipe.next())).startsWith("cas test:1:epoch 0 0 34 1\r\n");
    }

    @Test
    void usesTheMarkerOfAServerWithoutEvictionCounters() {
        pipe.response("END\r\n");
        pipe.response("END\r\n");
        pipe.response(NOT_STORED);

        pipe.response(markerResponse(MemcachedFixture.MARK, 7));

        assertThat(pipe.connection().mark()).isEqualTo(MemcachedFixture.MARK);
    }

    @Test
    void keepsAMarkerThatIsNewerThanTheStatistics() {
        byte[] theirs = "ffeeddccbbaa99887766554433221100:3".getBytes(US_ASCII);

        respondWithMarker(theirs);

        assertThat(pipe.connection().mark()).isEqualTo(theirs);
        assertThat(fixture.events("evicted")).isZero();
    }

    @Test
    void knowsWhetherTheServerMayEvictBeforeItsMarker() {
        assertThat(check.mayEvict()).isFalse();
        pipe.response("STAT evictions on\r\nSTAT growth_factor 1.25\r\nEND\r\n");
        assertThat(check.mayEvict()).isTrue();
        pipe.response(NO_EVICTIONS);
        pipe.response(NOT_STORED);
        pipe.response(markerResponse(MemcachedFixture.MARK, 7));
        assertThat(pipe.connection().mark()).isEqualTo(MemcachedFixture.MARK);

        check.start(pipe);
        pipe.response(KEEPS);
        assertThat(check.mayEvict()).isFalse();
    }

    @Test
    void requestsNoStatisticsFromARouter() {
        EpochMarkerCheck routed = new EpochMarkerCheck(
                MemcachedFixture.SERVER, fixture.resources, fixture.keys, (wasAway, nanos) -> verified.add(wasAway));
        FakeMemcachedConnection other =
                new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
        routed.start(other);

        assertThat(other.response("STORED\r\n")).startsWith("add test:1:epoch ");
        assertThat(other.response(markerResponse(MemcachedFixture.MARK, 7))).startsWith("gets ");
        assertThat(other.connection().mark()).isEqualTo(MemcachedFixture.MARK);
        assertThat(other.waiting()).isZero();
    }

    @Test
    void triesAgainSoonWhenARequestCouldNotBeSent() {
        FakeMemcachedConnection closed =
                new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
        closed.takes = false;
        EpochMarkerCheck other = new EpochMarkerCheck(
                server, fixture.resources, fixture.keys, (wasAway, nanos) -> verified.add(wasAway));
        other.start(closed);
        closed.takes = true;

        other.tend(closed, Ticker.systemTicker().nanoTime() + 1, false);

        assertThat(closed.waiting()).isEqualTo(4);
    }

    @Test
    void waitsForTheNextConnectionAfterAClose() {
        for (int i = 0; i < 4; i++) {
            pipe.next().drop();
        }

        check.tend(pipe, Ticker.systemTicker().nanoTime(), false);

        assertThat(pipe.waiting()).isZero();
        assertThat(verified).isEmpty();
    }

    private void respondWithMarker(byte[] mark) {
        pipe.response(KEEPS);
        pipe.response(NO_EVICTIONS);
        pipe.response(NOT_STORED);
        pipe.response(markerResponse(mark, 7));
    }

    private static String markerResponse(byte[] mark, long cas) {
        String text = new String(mark, US_ASCII);
        return "VALUE test:1:epoch 0 " + text.length() + " " + cas + "\r\n" + text + "\r\nEND\r\n";
    }
}
