package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedServerTest {

    private static final long REOPEN = TimeUnit.MILLISECONDS.toNanos(500);

    private final MemcachedFixture fixture = new MemcachedFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sendsNothingBeforeTheMarkerWasReadOnThatConnection() {
        MemcachedServer server = fixture.server();
        fixture.spend(server);
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);

        fixture.open(server);
        fixture.connect();
        fixture.spend(server);
        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(fixture.connection().spends).isEmpty();
        assertThat(fixture.connection().inFlight()).isZero();
        assertThat(server.readyConnection()).isNull();

        fixture.connection().connection().marker(MemcachedFixture.MARKER);
        fixture.spend(server);
        assertThat(fixture.responses).isEmpty();
        assertThat(fixture.connection().spends).hasSize(1);
        assertThat(server.readyConnection()).isSameAs(fixture.connection());
        assertThat(server.inFlight()).isEqualTo(1);
    }

    @Test
    void givesEachSpendItsOwnValue() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        MemcachedServer other = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        for (int i = 0; i < 3; i++) {
            fixture.spend(server);
            fixture.spend(other);
        }

        List<String> valuePrefixes = new ArrayList<>();
        fixture.connections.forEach(connection -> connection.spends.forEach(
                add -> valuePrefixes.add(HexFormat.of().formatHex(add.value()))));
        assertThat(valuePrefixes).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void isBusyAtTheLimit() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        fixture.connection().capacity = 1;
        fixture.spend(server);
        fixture.spend(server);

        assertThat(fixture.responses).hasSize(1);
        assertThat(fixture.responses.get(0).busy()).isTrue();
        assertThat(fixture.connection().spends).hasSize(1);
    }

    @Test
    void takesNoPermitWhileTheBreakerIsOpen() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        fixture.fail(server, 64);

        fixture.spend(server);

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(fixture.connection().spends).isEmpty();
        assertThat(server.inFlight()).isZero();
        assertThat(server.state()).isEqualTo("verified, breaker open");
    }

    @Test
    void respondsAtTheDeadlineWhenTheServerDoesNot() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);

        server.spend(
                fixture.token(),
                fixture.channel.eventLoop(),
                Ticker.systemTicker().nanoTime(),
                fixture.responses::add);
        fixture.channel.runScheduledPendingTasks();

        assertThat(fixture.response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void closesTheBreakerWhenTheServerReturnsItsMarkerAfterAnOutage() {
        MemcachedServer server = fixture.server();
        fixture.fail(server, 64);
        assertThat(server.state()).isEqualTo("not connected, breaker open");
        fixture.open(server);
        fixture.connect();
        assertThat(server.state()).isEqualTo("connected, epoch marker not verified, breaker open");

        fixture.respondToMarkerCheck();

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }

    @Test
    void readsTheMarkerMoreOftenWhileTheBreakerIsNotClosed() {
        MemcachedServer server = fixture.server();
        fixture.open(server);
        fixture.connect();
        fixture.respondToMarkerCheck();
        long now = Ticker.systemTicker().nanoTime();
        server.maintain(now);
        assertThat(fixture.connection().waiting()).isZero();

        fixture.fail(server, 32);
        server.maintain(now);

        assertThat(fixture.connection().waiting()).isEqualTo(2);
    }

    @Test
    void closesItsConnectionAndSendsNothingMore() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);

        server.close();

        assertThat(fixture.connection().closed).isTrue();
        assertThat(server.readyConnection()).isNull();
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void countsOpenedAndClosedConnections() {
        MemcachedServer server = fixture.server();
        fixture.open(server);
        fixture.connect();
        fixture.connection().connection().lost();

        assertThat(fixture.events("connected")).isEqualTo(1);
        assertThat(fixture.events("connection-lost")).isEqualTo(1);
    }

    @Test
    void checksTheMarkerAgainWhenASpendShowedAnotherOne() {
        fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);

        fixture.connection()
                .connection()
                .found(new GetsReply.Response(StoreReply.STORED, MemcachedFixture.OTHER_MARKER, 1));
        fixture.settle();

        assertThat(fixture.connection().waiting()).isEqualTo(2);
        assertThat(fixture.connection().response("NOT_STORED\r\n")).startsWith("add test:1:epoch ");
    }

    @Test
    void hasSocketFactsOnlyWhileItIsReady() {
        MemcachedServer server = fixture.server();
        assertThat(server.info()).isNull();
        fixture.open(server);
        fixture.connect();
        assertThat(server.info()).isNull();

        fixture.connection().connection().marker(MemcachedFixture.MARKER);

        assertThat(server.info()).isEqualTo(new StoreConnectionInfo(MemcachedFixture.SERVER.name(), true, Double.NaN));
    }

    @Test
    void readsRepliesOverItsConnectionIfThereIsOne() {
        MemcachedServer server = fixture.server();
        List<String> ran = new ArrayList<>();

        server.readReplies(fixture.channel.eventLoop(), () -> ran.add("not connected"));
        fixture.open(server);
        server.readReplies(fixture.channel.eventLoop(), () -> ran.add("connected"));

        assertThat(ran).containsExactly("not connected", "connected");
    }

    @Test
    void closesTheBreakerAfterRepliesToProbes() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        fixture.fail(server, 32);
        long now = Ticker.systemTicker().nanoTime();
        server.maintain(now);
        server.maintain(now + REOPEN);
        assertThat(server.state()).isEqualTo("verified, breaker half-open");

        for (int i = 0; i < 16; i++) {
            fixture.spend(server);
            server.heard(StoreReply.NOT_STORED);
        }

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }
}
