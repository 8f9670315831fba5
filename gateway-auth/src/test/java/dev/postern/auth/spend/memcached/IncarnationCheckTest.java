package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a router at one address with two servers behind it. */
class IncarnationCheckTest {

    private final MemcachedFixture fixture = new MemcachedFixture(3);
    private final FakeMemcachedConnection router =
            new FakeMemcachedConnection(new MarkedConnection(new MarkedConnection.Listener() {}));
    private final MemcachedServer firstServer = fixture.ready(server(1), MemcachedFixture.MARKER);
    private final FakeMemcachedConnection first = fixture.connection();
    private final MemcachedServer secondServer = fixture.ready(server(2), MemcachedFixture.OTHER_MARKER);
    private final FakeMemcachedConnection second = fixture.connection();
    private final MemcachedServers.AllServersCheck all = new MemcachedServers.AllServersCheck(List.of(
            new IncarnationCheck(firstServer, fixture.state, fixture.encoding, Ticker.systemTicker()),
            new IncarnationCheck(secondServer, fixture.state, fixture.encoding, Ticker.systemTicker())));
    private final MemcachedServer memcachedServer = fixture.handle(MemcachedFixture.SERVER, all);

    @BeforeEach
    void verify() {
        fixture.state.observed(0, MemcachedFixture.MARKER);
        router.connection().marker(MemcachedFixture.MARKER);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void isFreshOnceAllServersBehindTheRouterReturnedTheirMarkers() {
        PendingAdd add = stored();
        assertThat(add.responded()).isFalse();

        assertThat(first.response(shown(MemcachedFixture.MARKER))).isEqualTo("gets test:1:epoch\r\n");
        assertThat(add.responded()).isFalse();
        second.response(shown(MemcachedFixture.OTHER_MARKER));

        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
        assertThat(fixture.responses).hasSize(1);
    }

    @Test
    void isNotFreshWhenAServerHasAnotherMarkerOrNone() {
        for (String other : new String[] {shown(MemcachedFixture.OTHER_MARKER), "END\r\n", "SERVER_ERROR busy\r\n"}) {
            PendingAdd add = stored();
            first.response(other);
            assertThat(add.responded()).isFalse();
            second.response(shown(MemcachedFixture.OTHER_MARKER));
            assertThat(add.result()).as(other).isEqualTo(SpendResult.UNKNOWN);
        }
        PendingAdd add = stored();
        first.response(shown(MemcachedFixture.MARKER));
        second.response(shown(MemcachedFixture.MARKER));
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void sendsNothingWhenTheRoutersMarkerIsInvalid() {
        router.connection().marker(MemcachedFixture.OTHER_MARKER);

        assertThat(stored().result()).isEqualTo(SpendResult.UNKNOWN);

        assertThat(first.waiting()).isZero();
    }

    @Test
    void ignoresAResponseToARequestBeforeTheStore() {
        PendingAdd early = stored();
        PendingAdd late = stored();
        assertThat(first.waiting()).as("one request at a time").isEqualTo(1);

        first.response(shown(MemcachedFixture.MARKER));
        second.response(shown(MemcachedFixture.OTHER_MARKER));
        assertThat(early.result()).isEqualTo(SpendResult.FRESH);
        assertThat(late.responded()).isFalse();
        first.response(shown(MemcachedFixture.OTHER_MARKER));
        second.response(shown(MemcachedFixture.OTHER_MARKER));

        assertThat(late.result())
                .as("the first server lost its data in between")
                .isEqualTo(SpendResult.UNKNOWN);
        assertThat(first.waiting()).isZero();
    }

    @Test
    void sendsOneRequestForAllWaitingSpends() {
        stored();
        List<PendingAdd> late = List.of(stored(), stored(), stored());

        for (int i = 0; i < 2; i++) {
            first.response(shown(MemcachedFixture.MARKER));
            second.response(shown(MemcachedFixture.OTHER_MARKER));
        }

        assertThat(late).extracting(PendingAdd::result).containsOnly(SpendResult.FRESH);
        assertThat(first.waiting()).isZero();
        assertThat(second.waiting()).isZero();
    }

    @Test
    void isUnknownAtOnceWhenARequestCannotBeSent() {
        first.connection().marker(null);
        PendingAdd add = stored();
        second.response(shown(MemcachedFixture.OTHER_MARKER));
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(add.responded()).isTrue();

        first.connection().marker(MemcachedFixture.MARKER);
        first.takes = false;
        PendingAdd another = stored();
        second.response(shown(MemcachedFixture.OTHER_MARKER));
        assertThat(another.responded()).isTrue();

        first.takes = true;
        PendingAdd last = stored();
        first.response(shown(MemcachedFixture.MARKER));
        second.response(shown(MemcachedFixture.OTHER_MARKER));
        assertThat(last.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void doesNotWaitForAConnectionThatWasReplaced() {
        stored();
        first.alive = false;
        firstServer.maintain(Ticker.systemTicker().nanoTime() + TimeUnit.SECONDS.toNanos(10));
        FakeMemcachedConnection next = fixture.connection();
        assertThat(next).isNotSameAs(first);
        next.connection().marker(MemcachedFixture.MARKER);

        PendingAdd add = stored();
        next.response(shown(MemcachedFixture.MARKER));
        second.response(shown(MemcachedFixture.OTHER_MARKER));
        second.response(shown(MemcachedFixture.OTHER_MARKER));

        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void requestsEvictionCountersFromAServerThatEvicts() {
        MemcachedServer evicting = fixture.handle(server(1), MemcachedServer.SpendCheck.NONE);
        evicting.maintain(Ticker.systemTicker().nanoTime());
        FakeMemcachedConnection connection = fixture.connection();
        connection.connection().established();
        connection.response("STAT evictions on\r\nEND\r\n");
        connection.response("STAT evictions 0\r\nEND\r\n");
        connection.response("NOT_STORED\r\n");
        connection.response(shown(MemcachedFixture.MARKER));

        for (String said : new String[] {"STAT evictions 0\r\nEND\r\n", "STAT evictions 1\r\nEND\r\n", "END\r\n"}) {
            PendingAdd add = fixture.attempt(evicting);
            connection.settle(add, StoreReply.STORED);
            assertThat(add.responded()).isFalse();
            assertThat(connection.response(said)).isEqualTo("stats\r\n");
            assertThat(add.responded()).isFalse();
            connection.response(shown(MemcachedFixture.MARKER));
            assertThat(add.result()).isEqualTo(said.contains(" 0") ? SpendResult.FRESH : SpendResult.UNKNOWN);
        }
    }

    @Test
    void isUnknownWhenAServerThatEvictsCountsAnew() {
        byte[] marker = "00112233445566778899aabbccddeeff:3".getBytes(US_ASCII);
        MemcachedServer evicting = fixture.handle(server(1), MemcachedServer.SpendCheck.NONE);
        evicting.maintain(Ticker.systemTicker().nanoTime());
        FakeMemcachedConnection connection = fixture.connection();
        connection.connection().established();
        connection.response("STAT evictions on\r\nEND\r\n");
        connection.response("STAT evictions 3\r\nEND\r\n");
        connection.response("NOT_STORED\r\n");
        connection.response(shown(marker));

        for (int evicted : new int[] {3, 0}) {
            PendingAdd add = fixture.attempt(evicting);
            connection.settle(add, StoreReply.STORED);
            connection.response("STAT evictions " + evicted + "\r\nEND\r\n");
            connection.response(shown(marker));
            assertThat(add.result()).isEqualTo(evicted == 3 ? SpendResult.FRESH : SpendResult.UNKNOWN);
        }
    }

    private PendingAdd stored() {
        PendingAdd add = fixture.attempt(memcachedServer);
        router.settle(add, StoreReply.STORED);
        return add;
    }

    private static MemcachedServer.Server server(int index) {
        return new MemcachedServer.Server("127.0.0." + index + ":1", "127.0.0." + index, 1, index, true);
    }

    private static String shown(byte[] mark) {
        String text = new String(mark, US_ASCII);
        return "VALUE test:1:epoch 0 " + text.length() + " 1\r\n" + text + "\r\nEND\r\n";
    }
}
