package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(pipe.connection().marker()).isNull();
        assertThat(pipe.response(markerResponse(MemcachedFixture.MARKER, 7))).isEqualTo("gets test:1:epoch\r\n");

        assertThat(pipe.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
        assertThat(fixture.marks.marker(0)).isEqualTo(MemcachedFixture.MARKER);
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
        respondWithMarker(MemcachedFixture.MARKER);
        long now = System.nanoTime();

        check.tend(pipe, now, false);
        assertThat(pipe.waiting()).isZero();
        check.tend(pipe, now + SECOND, false);
        assertThat(pipe.waiting()).isEqualTo(4);
        check.tend(pipe, now + SECOND, false);
        assertThat(pipe.waiting()).as("already requested").isEqualTo(4);

        respondWithMarker(MemcachedFixture.MARKER);
        assertThat(verified).containsExactly(true, false);
    }

    @Test
    void checksAtOnceWhenAnotherConnectionHasReadAnotherMarker() {
        respondWithMarker(MemcachedFixture.MARKER);
        fixture.marks.observed(0, MemcachedFixture.OTHER_MARKER);

        check.tend(pipe, System.nanoTime(), false);

        assertThat(pipe.waiting()).isEqualTo(4);
    }

    @Test
    void detectsAnotherMarker() {
        respondWithMarker(MemcachedFixture.MARKER);
        byte[] epoch = fixture.marks.epoch();
        check.start(pipe);

        respondWithMarker(MemcachedFixture.OTHER_MARKER);

        assertThat(pipe.connection().marker()).isEqualTo(MemcachedFixture.OTHER_MARKER);
        assertThat(fixture.marks.epoch()).isNotEqualTo(epoch);
        assertThat(fixture.events("memory-lost")).isEqualTo(1);
    }

    @Test
    void revokesTheMarkerWhenTheServerStopsResponding() {
        respondWithMarker(MemcachedFixture.MARKER);
        check.start(pipe);
        long now = System.nanoTime();

        check.tend(pipe, now, false);
        assertThat(pipe.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
        assertThat(pipe.waiting()).isEqualTo(4);
        check.tend(pipe, now + SECOND, false);

        assertThat(pipe.connection().marker()).isNull();
        assertThat(pipe.waiting()).as("requests again").isEqualTo(8);
    }

    @Test
    void revokesTheMarkerWhenTheServerCannotStoreOne() {
        for (String response : new String[] {"END\r\n", "SERVER_ERROR out of memory\r\n"}) {
            respondWithMarker(MemcachedFixture.MARKER);
            check.start(pipe);
            pipe.response(KEEPS);
            pipe.response(NO_EVICTIONS);
            pipe.response(NOT_STORED);

            pipe.response(response);

            assertThat(pipe.connection().marker()).isNull();
            check.tend(pipe, System.nanoTime() + SECOND, false);
            assertThat(pipe.waiting()).as("requests again").isEqualTo(4);
        }
    }

    @Test
    void replacesTheMarkerOfAServerThatEvictedSince() {
        respondWithMarker(MemcachedFixture.MARKER);
        check.start(pipe);
        pipe.response(KEEPS);
        pipe.response("STAT evictions 3\r\nEND\r\n");
        pipe.response(NOT_STORED);

        pipe.response(markerResponse(MemcachedFixture.MARKER, 77));

        assertThat(pipe.connection().marker()).as("nothing is fresh meanwhile").isNull();
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

        assertThat(pipe.connection().marker()).isEqualTo(theirs);
        assertThat(fixture.events("evicted")).isZero();
    }

    @Test
    void replacesAnInvalidMarker() {
        pipe.response(KEEPS);
        pipe.response(NO_EVICTIONS);
        pipe.response(NOT_STORED);

        pipe.response(markerResponse("hello".getBytes(US_ASCII), 1));

        assertThat(pipe.connection().marker()).isNull();
        assertThat(FakeMemcachedConnection.text(pipe.next())).startsWith("cas test:1:epoch 0 0 34 1\r\n");
    }

    @Test
    void usesTheMarkerOfAServerWithoutEvictionCounters() {
        pipe.response("END\r\n");
        pipe.response("END\r\n");
        pipe.response(NOT_STORED);

        pipe.response(markerResponse(MemcachedFixture.MARKER, 7));

        assertThat(pipe.connection().marker()).isEqualTo(MemcachedFixture.MARKER);
    }

    @Test
    void keepsAMarkerThatIsNewerThanTheStatistics() {
        byte[] theirs = "ffeeddccbbaa99887766554433221100:3".getBytes(US_ASCII);

        respondWithMarker(theirs);

        assertThat(pipe.connection().marker()).isEqualTo(theirs);
        assertThat(fixture.events("evicted")).isZero();
    }

    @Test
    void knowsWhetherTheServerMayEvictBeforeItsMarker() {
        assertThat(check.mayEvict()).isFalse();
        pipe.response("STAT evictions on\r\nSTAT growth_factor 1.25\r\nEND\r\n");
        assertThat(check.mayEvict()).isTrue();
        pipe.response(NO_EVICTIONS);
        pipe.response(NOT_STORED);
        pipe.response(markerResponse(MemcachedFixture.MARKER, 7));
        assertThat(pipe.connection().marker()).isEqualTo(MemcachedFixture.MARKER);

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
                server, fixture.resources, fixture.keys, (wasAway, nanos) -> verified.add(wasAway));
        other.start(closed);
        closed.takes = true;

        other.tend(closed, System.nanoTime() + 1, false);

        assertThat(closed.waiting()).isEqualTo(4);
    }

    @Test
    void waitsForTheNextConnectionAfterAClose() {
        for (int i = 0; i < 4; i++) {
            pipe.next().drop();
        }

        check.tend(pipe, System.nanoTime(), false);

        assertThat(pipe.waiting()).isZero();
        assertThat(verified).isEmpty();
    }

    private void respondWithMarker(byte[] marker) {
        pipe.response(KEEPS);
        pipe.response(NO_EVICTIONS);
        pipe.response(NOT_STORED);
        pipe.response(markerResponse(marker, 7));
    }

    private static String markerResponse(byte[] marker, long cas) {
        String text = new String(marker, US_ASCII);
        return "VALUE test:1:epoch 0 " + text.length() + " " + cas + "\r\n" + text + "\r\nEND\r\n";
    }
}
