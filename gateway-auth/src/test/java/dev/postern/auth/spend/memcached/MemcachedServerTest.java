package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedServerTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final long REOPEN = TimeUnit.MILLISECONDS.toNanos(500);

    private final Rig rig = new Rig();
    private long start;

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void sendsNothingBeforeTheServerHasShownItsMarkOnThatConnection() {
        MemcachedServer server = rig.server();
        spend(server);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);

        open(server);
        connect();
        spend(server);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(rig.pipe().spends).isEmpty();
        assertThat(rig.pipe().inFlight()).isZero();
        assertThat(server.readyConnection()).isNull();

        rig.pipe().connection().mark(Rig.MARK);
        spend(server);
        assertThat(rig.responses).isEmpty();
        assertThat(rig.pipe().spends).hasSize(1);
        assertThat(server.readyConnection()).isSameAs(rig.pipe());
        assertThat(server.inFlight()).isEqualTo(1);
    }

    @Test
    void givesEachAttemptAMarkOfItsOwn() {
        MemcachedServer server = rig.ready(Rig.SERVER, Rig.MARK);
        MemcachedServer other = rig.ready(Rig.SERVER, Rig.MARK);
        for (int i = 0; i < 3; i++) {
            spend(server);
            spend(other);
        }

        List<String> marks = new ArrayList<>();
        rig.pipes.forEach(
                pipe -> pipe.spends.forEach(add -> marks.add(HexFormat.of().formatHex(add.value()))));
        assertThat(marks).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void isBusyWhereThereIsNoPlace() {
        MemcachedServer server = rig.ready(Rig.SERVER, Rig.MARK);
        rig.pipe().places = 1;
        spend(server);
        spend(server);

        assertThat(rig.responses).hasSize(1);
        assertThat(rig.responses.get(0).busy()).isTrue();
        assertThat(rig.pipe().spends).hasSize(1);
    }

    @Test
    void takesNoPlaceWhileTheBreakerIsOpen() {
        MemcachedServer server = rig.ready(Rig.SERVER, Rig.MARK);
        fail(server, 64);

        spend(server);

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(rig.pipe().spends).isEmpty();
        assertThat(server.inFlight()).isZero();
        assertThat(server.state()).isEqualTo("verified, breaker open");
    }

    @Test
    void respondsByTheDeadlineWhenTheServerDoesNot() {
        MemcachedServer server = rig.ready(Rig.SERVER, Rig.MARK);

        server.spend(rig.token(), rig.channel.eventLoop(), System.nanoTime(), rig.responses::add);
        rig.channel.runScheduledPendingTasks();

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void looksTheNameUpAnewForEachConnection() {
        MemcachedServer server = rig.server();
        open(server);
        rig.pipe().alive = false;
        server.tend(start + REOPEN);

        assertThat(rig.addresses).hasSize(2);
        assertThat(rig.addresses.get(1)).isNotSameAs(rig.addresses.get(0)).isEqualTo(rig.addresses.get(0));
    }

    @Test
    void connectsAnewHalfASecondAfterTheConnectionEnded() {
        MemcachedServer server = rig.server();
        open(server);
        rig.pipe().alive = false;

        server.tend(start + REOPEN - 1);
        assertThat(rig.pipes).hasSize(1);
        server.tend(start + REOPEN);
        assertThat(rig.pipes).hasSize(2);
        assertThat(rig.pipes.get(0).closed).isTrue();
        assertThat(rig.pipe().closed).isFalse();
        assertThat(rig.events("recreated")).as("it had ended by itself").isZero();
    }

    @Test
    void connectsAnewWhenTheServerShowsNoMark() {
        MemcachedServer server = rig.server();
        open(server);
        connect();

        server.tend(start + PATIENCE - 1);
        assertThat(rig.pipes).hasSize(1);
        server.tend(start + PATIENCE + TimeUnit.SECONDS.toNanos(1));
        assertThat(rig.pipes).hasSize(2);
        assertThat(rig.pipes.get(0).closed).isTrue();
        assertThat(rig.events("recreated")).isEqualTo(1);
    }

    @Test
    void connectsAnewAfterManyFailuresInARowAndNotAfterAsManyWithASuccessBetween() {
        MemcachedServer server = rig.server();
        open(server);
        connect();
        show();
        fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);
        server.heard(StoreReply.NOT_STORED);
        fail(server, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);

        // Verified since it was opened, so that time alone is no reason.
        server.tend(start + PATIENCE);
        assertThat(rig.pipes).hasSize(1);
        fail(server, 1);
        server.tend(start + PATIENCE);
        assertThat(rig.pipes).hasSize(2);
    }

    @Test
    void closesTheBreakerWhenTheServerThatWasAwayShowsItsMark() {
        MemcachedServer server = rig.server();
        fail(server, 64);
        assertThat(server.state()).isEqualTo("not connected, breaker open");
        open(server);
        connect();
        assertThat(server.state()).isEqualTo("connected, epoch marker not verified, breaker open");

        show();

        assertThat(server.state()).isEqualTo("verified, breaker closed");
    }

    @Test
    void sparesNoSpendForWhatFailedBeforeTheServerShowedItsMarkAgain() {
        MemcachedServer server = rig.server();
        open(server);
        connect();
        show();
        fail(server, 32);
        long now = System.nanoTime();
        server.tend(now);
        server.tend(now + REOPEN);
        fail(server, 15);
        assertThat(server.state()).isEqualTo("verified, breaker half-open");

        show();

        assertThat(server.state()).isEqualTo("verified, breaker closed");
        fail(server, 1);
        for (int i = 0; i < 59; i++) {
            spend(server);
        }
        assertThat(rig.pipe().spends).hasSize(59);
    }

    @Test
    void looksAtTheMarkOftenerWhileTheBreakerIsNotClosed() {
        MemcachedServer server = rig.server();
        open(server);
        connect();
        show();
        long now = System.nanoTime();
        server.tend(now);
        assertThat(rig.pipe().waiting()).isZero();

        fail(server, 32);
        server.tend(now);

        assertThat(rig.pipe().waiting()).isEqualTo(2);
    }

    @Test
    void goesOnWhenAConnectionCanNotBeOpened() {
        List<String> asked = new ArrayList<>();
        MemcachedServer server = new MemcachedServer(
                Rig.SERVER, rig.resources, rig.keys, MemcachedServer.SpendCheck.NONE, (address, connection) -> {
                    asked.add(address.toString());
                    throw new IOException("planted");
                });

        open(server);
        server.tend(start + PATIENCE);

        assertThat(asked).hasSize(2);
        assertThat(server.readyConnection()).isNull();
    }

    @Test
    void opensNothingForANameThatDoesNotResolve() {
        MemcachedServer server = rig.handle(
                new MemcachedServer.Server("nowhere.invalid:1", "nowhere.invalid", 1, 0, true),
                MemcachedServer.SpendCheck.NONE);

        open(server);

        assertThat(rig.pipes).isEmpty();
    }

    @Test
    void closesItsConnectionAndSendsNothingMore() {
        MemcachedServer server = rig.ready(Rig.SERVER, Rig.MARK);

        server.close();

        assertThat(rig.pipe().closed).isTrue();
        assertThat(server.readyConnection()).isNull();
        assertThat(server.inFlight()).isZero();
    }

    @Test
    void countsConnectionsThatCameAndWent() {
        MemcachedServer server = rig.server();
        open(server);
        connect();
        rig.pipe().connection().lost();

        assertThat(rig.events("connected")).isEqualTo(1);
        assertThat(rig.events("connection-lost")).isEqualTo(1);
    }

    /** From then on time is counted. */
    private void open(MemcachedServer server) {
        start = System.nanoTime();
        server.tend(start);
    }

    private void connect() {
        rig.pipe().connection().established();
        rig.settle();
    }

    /** Answers what the check of the mark asks. */
    private void show() {
        rig.pipe().response("NOT_STORED\r\n");
        String mark = new String(Rig.MARK, US_ASCII);
        rig.pipe().response("VALUE test:1:epoch 0 " + mark.length() + " 1\r\n" + mark + "\r\nEND\r\n");
        rig.settle();
    }

    private static void fail(MemcachedServer server, int times) {
        for (int i = 0; i < times; i++) {
            server.timedOut();
        }
    }

    private void spend(MemcachedServer server) {
        long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        server.spend(rig.token(), rig.channel.eventLoop(), deadline, rig.responses::add);
    }

    private SpendResult response() {
        assertThat(rig.responses).hasSize(1);
        PendingSpend response = rig.responses.remove(0);
        assertThat(response.busy()).isFalse();
        return response.result();
    }
}
