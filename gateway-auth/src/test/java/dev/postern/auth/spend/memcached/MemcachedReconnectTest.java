package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when a connection to memcached is replaced, and the reason that a status names. */
class MemcachedReconnectTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final long REOPEN = TimeUnit.MILLISECONDS.toNanos(500);

    private final MemcachedFixture fixture = new MemcachedFixture();
    private long start;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void resolvesTheNameForEachConnection() {
        MemcachedServer server = fixture.server();
        start = fixture.open(server);
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
        start = fixture.open(server);
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
        start = fixture.open(server);
        fixture.connect();

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
        start = fixture.open(server);
        fixture.connect();
        fixture.respondToMarkerCheck();
        fixture.fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);
        server.heard(StoreReply.NOT_STORED);
        fixture.fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);

        // The connection was verified, so that time alone is no reason.
        server.maintain(start + PATIENCE);
        assertThat(fixture.connections).hasSize(1);
        fixture.fail(server, 1);
        server.maintain(start + PATIENCE);
        assertThat(fixture.connections).hasSize(2);
    }

    @Test
    void ignoresFailuresFromBeforeTheMarkerWasReadAgain() {
        MemcachedServer server = fixture.server();
        start = fixture.open(server);
        fixture.connect();
        fixture.respondToMarkerCheck();
        fixture.fail(server, 32);
        long now = Ticker.systemTicker().nanoTime();
        server.maintain(now);
        server.maintain(now + REOPEN);
        fixture.fail(server, 15);
        assertThat(server.state()).isEqualTo("verified, breaker half-open");

        fixture.respondToMarkerCheck();

        assertThat(server.state()).isEqualTo("verified, breaker closed");
        fixture.fail(server, 1);
        for (int i = 0; i < 59; i++) {
            fixture.spend(server);
        }
        assertThat(fixture.connection().spends).hasSize(59);
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

        start = fixture.open(server);
        server.maintain(start + PATIENCE);

        assertThat(resolved).hasSize(2);
        assertThat(server.readyConnection()).isNull();
    }

    @Test
    void opensNoConnectionForANameThatDoesNotResolve() {
        MemcachedServer server = fixture.handle(
                new MemcachedServer.Server("nowhere.invalid:1", "nowhere.invalid", 1, 0, true),
                MemcachedServer.SpendCheck.NONE);

        start = fixture.open(server);

        assertThat(fixture.connections).isEmpty();
    }

    @Test
    void namesTheReasonWhyThereIsNoConnection() {
        MemcachedServer server = fixture.server();
        assertThat(server.contact()).isEqualTo("not connected");
        assertThat(server.explained()).isFalse();
        start = fixture.open(server);

        fixture.connection().connection().lost();
        assertThat(server.contact()).isEqualTo("not connected: connection lost");
        assertThat(server.explained()).as("the next attempt may show a cause").isFalse();
        fixture.connection().connection().failed(new ConnectException("Connection refused"));
        assertThat(server.contact()).isEqualTo("not connected: connection refused");
        assertThat(server.explained()).isTrue();
        fixture.connection().connection().lost();
        assertThat(server.contact()).as("the known cause stays").isEqualTo("not connected: connection refused");

        fixture.connect();
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

        start = fixture.open(unresolved);
        start = fixture.open(refused);

        assertThat(unresolved.contact()).isEqualTo("not connected: the name does not resolve");
        assertThat(refused.contact()).isEqualTo("not connected: connection refused");
    }

    @Test
    void keepsTheConnectionAfterFailuresFromBeforeItWasVerified() {
        MemcachedServer server = fixture.server();
        start = fixture.open(server);
        fixture.connect();
        fixture.fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);
        fixture.respondToMarkerCheck();
        fixture.fail(server, 1);

        server.maintain(start + PATIENCE);

        assertThat(fixture.connections).hasSize(1);
    }
}
