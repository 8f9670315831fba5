package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedServerTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final long REOPEN = TimeUnit.MILLISECONDS.toNanos(500);

    private final MemcachedFixture fixture = new MemcachedFixture();
    private long start;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void sendsNothingBeforeTheMarkerWasReadOnThatConnection() {
        MemcachedServer server = fixture.server();
        spend(server);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);

        open(server);
        connect();
        spend(server);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(fixture.connection().spends).isEmpty();
        assertThat(fixture.connection().inFlight()).isZero();
        assertThat(server.readyConnection()).isNull();

        fixture.connection().connection().marker(MemcachedFixture.MARKER);
        spend(server);
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
            spend(server);
            spend(other);
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
        spend(server);
        spend(server);

        assertThat(fixture.responses).hasSize(1);
        assertThat(fixture.responses.get(0).busy()).isTrue();
        assertThat(fixture.connection().spends).hasSize(1);
    }

    @Test
    void takesNoPermitWhileTheBreakerIsOpen() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        fail(server, 64);

        spend(server);

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
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

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void resolvesTheNameForEachConnection() {
        MemcachedServer server = fixture.server();
        open(server);
        fixture.connection().alive = false;
        server.maintain(start + REOPEN);

        assertThat(fixture.addresses).hasSize(2);
        assertThat(fixture.addresses.get(1))
                .isNotSameAs(fixture.addresses.get(0))
                .isEqualTo(fixture.addresses.get(0));
    }

    @Test
    void reconnectsHalfASecondAfterAClose() {
        MemcachedServer server = fixture.server();
        open(server);
        fixture.connection().alive = false;

        server.maintain(start + REOPEN - 1);
        assertThat(fixture.connections).hasSize(1);
        server.maintain(start + REOPEN);
        assertThat(fixture.connections).hasSize(2);
        assertThat(fixture.connections.get(0).closed).isTrue();
        assertThat(fixture.connection().closed).isFalse();
        assertThat(fixture.events("recreated")).as("closed by the server").isZero();
    }

    @Test
    void reconnectsWhenTheServerReturnsNoMarker() {
        MemcachedServer server = fixture.server();
        open(server);
        connect();

        server.maintain(start + PATIENCE - 1);
        assertThat(fixture.connections).hasSize(1);
        server.maintain(start + PATIENCE + TimeUnit.SECONDS.toNanos(1));
        assertThat(fixture.connections).hasSize(2);
        assertThat(fixture.connections.get(0).closed).isTrue();
        assertThat(fixture.events("recreated")).isEqualTo(1);
    }

    @Test
    void reconnectsAfterManyConsecutiveFailuresOnly() {
        MemcachedServer server = fixture.server();
        open(server);
        connect();
        respondToMarkerCheck();
        fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);
        server.heard(StoreReply.NOT_STORED);
        fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);

        // The connection was verified, so that time alone is no reason.
        server.maintain(start + PATIENCE);
        assertThat(fixture.connections).hasSize(1);
        fail(server, 1);
        server.maintain(start + PATIENCE);
        assertThat(fixture.connections).hasSize(2);
    }

    @Test
    void closesTheBreakerWhenTheServerReturnsItsMarkerAfterAnOutage() {
        MemcachedServer server = fixture.server();
        fail(server, 64);
        assertThat(server.state()).isEqualTo("not connected, breaker open");
        open(server);
        connect();
        assertThat(server.state()).isEqualTo("connected, epoch marker not verified, breaker open");

        respondToMarkerCheck();

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }

    @Test
    void ignoresFailuresFromBeforeTheMarkerWasReadAgain() {
        MemcachedServer server = fixture.server();
        open(server);
        connect();
        respondToMarkerCheck();
        fail(server, 32);
        long now = Ticker.systemTicker().nanoTime();
        server.maintain(now);
        server.maintain(now + REOPEN);
        fail(server, 15);
        assertThat(server.state()).isEqualTo("verified, breaker half-open");

        respondToMarkerCheck();

        assertThat(server.state()).isEqualTo("verified, breaker closed");
        fail(server, 1);
        for (int i = 0; i < 59; i++) {
            spend(server);
        }
        assertThat(fixture.connection().spends).hasSize(59);
    }

    @Test
    void readsTheMarkerMoreOftenWhileTheBreakerIsNotClosed() {
        MemcachedServer server = fixture.server();
        open(server);
        connect();
        respondToMarkerCheck();
        long now = Ticker.systemTicker().nanoTime();
        server.maintain(now);
        assertThat(fixture.connection().waiting()).isZero();

        fail(server, 32);
        server.maintain(now);

        assertThat(fixture.connection().waiting()).isEqualTo(2);
    }

    @Test
    void continuesWhenAConnectionCannotBeOpened() {
        List<String> resolved = new ArrayList<>();
        MemcachedServer server = new MemcachedServer(
                MemcachedFixture.SERVER,
                fixture.resources,
                fixture.encoding,
                MemcachedServer.SpendCheck.NONE,
                (address, connection) -> {
                    resolved.add(address.toString());
                    throw new IOException("planted");
                });

        open(server);
        server.maintain(start + PATIENCE);

        assertThat(resolved).hasSize(2);
        assertThat(server.readyConnection()).isNull();
    }

    @Test
    void opensNoConnectionForANameThatDoesNotResolve() {
        MemcachedServer server = fixture.handle(
                new MemcachedServer.Server("nowhere.invalid:1", "nowhere.invalid", 1, 0, true),
                MemcachedServer.SpendCheck.NONE);

        open(server);

        assertThat(fixture.connections).isEmpty();
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
        open(server);
        connect();
        fixture.connection().connection().lost();

        assertThat(fixture.events("connected")).isEqualTo(1);
        assertThat(fixture.events("connection-lost")).isEqualTo(1);
    }

    @Test
    void namesTheReasonWhyThereIsNoConnection() {
        MemcachedServer server = fixture.server();
        assertThat(server.contact()).isEqualTo("not connected");
        assertThat(server.explained()).isFalse();
        open(server);

        fixture.connection().connection().lost();
        assertThat(server.contact()).isEqualTo("not connected: connection lost");
        assertThat(server.explained()).as("the next attempt may show a cause").isFalse();
        fixture.connection().connection().failed(new ConnectException("Connection refused"));
        assertThat(server.contact()).isEqualTo("not connected: connection refused");
        assertThat(server.explained()).isTrue();
        fixture.connection().connection().lost();
        assertThat(server.contact()).as("the known cause stays").isEqualTo("not connected: connection refused");

        connect();
        assertThat(server.contact()).isEqualTo("connected, epoch marker not verified");
        assertThat(server.explained()).isTrue();
        fixture.connection().connection().lost();
        assertThat(server.contact()).as("an old cause is forgotten").isEqualTo("not connected: connection lost");
    }

    @Test
    void namesTheReasonWhyNoConnectionWasOpened() {
        MemcachedServer unresolved = fixture.handle(
                new MemcachedServer.Server("nowhere.invalid:1", "nowhere.invalid", 1, 0, true),
                MemcachedServer.SpendCheck.NONE);
        MemcachedServer refused = new MemcachedServer(
                MemcachedFixture.SERVER,
                fixture.resources,
                fixture.encoding,
                MemcachedServer.SpendCheck.NONE,
                (address, connection) -> {
                    throw new ConnectException("Connection refused");
                });

        open(unresolved);
        open(refused);

        assertThat(unresolved.contact()).isEqualTo("not connected: the name does not resolve");
        assertThat(refused.contact()).isEqualTo("not connected: connection refused");
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
    void keepsTheConnectionAfterFailuresFromBeforeItWasVerified() {
        MemcachedServer server = fixture.server();
        open(server);
        connect();
        fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);
        respondToMarkerCheck();
        fail(server, 1);

        server.maintain(start + PATIENCE);

        assertThat(fixture.connections).hasSize(1);
    }

    @Test
    void hasSocketFactsOnlyWhileItIsReady() {
        MemcachedServer server = fixture.server();
        assertThat(server.info()).isNull();
        open(server);
        connect();
        assertThat(server.info()).isNull();

        fixture.connection().connection().marker(MemcachedFixture.MARKER);

        assertThat(server.info()).isEqualTo(new StoreConnectionInfo(MemcachedFixture.SERVER.name(), true, Double.NaN));
    }

    @Test
    void readsRepliesOverItsConnectionIfThereIsOne() {
        MemcachedServer server = fixture.server();
        List<String> ran = new ArrayList<>();

        server.readReplies(fixture.channel.eventLoop(), () -> ran.add("not connected"));
        open(server);
        server.readReplies(fixture.channel.eventLoop(), () -> ran.add("connected"));

        assertThat(ran).containsExactly("not connected", "connected");
    }

    @Test
    void closesTheBreakerAfterRepliesToProbes() {
        MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
        fail(server, 32);
        long now = Ticker.systemTicker().nanoTime();
        server.maintain(now);
        server.maintain(now + REOPEN);
        assertThat(server.state()).isEqualTo("verified, breaker half-open");

        for (int i = 0; i < 16; i++) {
            spend(server);
            server.heard(StoreReply.NOT_STORED);
        }

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }

    /** Opens the connection; timers run from then on. */
    private void open(MemcachedServer server) {
        start = Ticker.systemTicker().nanoTime();
        server.maintain(start);
    }

    private void connect() {
        fixture.connection().connection().established();
        fixture.settle();
    }

    /** Responds to the marker check. */
    private void respondToMarkerCheck() {
        fixture.connection().response("NOT_STORED\r\n");
        String valuePrefix = new String(MemcachedFixture.MARKER, US_ASCII);
        fixture.connection()
                .response("VALUE test:1:epoch 0 " + valuePrefix.length() + " 1\r\n" + valuePrefix + "\r\nEND\r\n");
        fixture.settle();
    }

    private static void fail(MemcachedServer server, int times) {
        for (int i = 0; i < times; i++) {
            server.timedOut();
        }
    }

    private void spend(MemcachedServer server) {
        long deadline = Ticker.systemTicker().nanoTime() + TimeUnit.HOURS.toNanos(1);
        server.spend(fixture.token(), fixture.channel.eventLoop(), deadline, fixture.responses::add);
    }

    private SpendResult response() {
        assertThat(fixture.responses).hasSize(1);
        PendingSpend response = fixture.responses.remove(0);
        assertThat(response.busy()).isFalse();
        return response.result();
    }
}
