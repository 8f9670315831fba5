package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import java.io.IOException;
import java.net.InetSocketAddress;
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
        MemcachedServer link = rig.link();
        spend(link);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);

        open(link);
        connect();
        spend(link);
        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(rig.pipe().spends).isEmpty();
        assertThat(rig.pipe().inFlight()).isZero();
        assertThat(link.readyPipe()).isNull();

        rig.pipe().contact().mark(Rig.MARK);
        spend(link);
        assertThat(rig.responses).isEmpty();
        assertThat(rig.pipe().spends).hasSize(1);
        assertThat(link.readyPipe()).isSameAs(rig.pipe());
        assertThat(link.inFlight()).isEqualTo(1);
    }

    @Test
    void givesEachAttemptAMarkOfItsOwn() {
        MemcachedServer link = rig.ready(Rig.SERVER, Rig.MARK);
        MemcachedServer other = rig.ready(Rig.SERVER, Rig.MARK);
        for (int i = 0; i < 3; i++) {
            spend(link);
            spend(other);
        }

        List<String> marks = new ArrayList<>();
        rig.pipes.forEach(pipe ->
                pipe.spends.forEach(attempt -> marks.add(HexFormat.of().formatHex(MemcachedEncoding.mark(attempt)))));
        assertThat(marks).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void isBusyWhereThereIsNoPlace() {
        MemcachedServer link = rig.ready(Rig.SERVER, Rig.MARK);
        rig.pipe().places = 1;
        spend(link);
        spend(link);

        assertThat(rig.responses).hasSize(1);
        assertThat(rig.responses.get(0).busy()).isTrue();
        assertThat(rig.pipe().spends).hasSize(1);
    }

    @Test
    void takesNoPlaceWhileTheBreakerIsOpen() {
        MemcachedServer link = rig.ready(Rig.SERVER, Rig.MARK);
        fail(link, 64);

        spend(link);

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(rig.pipe().spends).isEmpty();
        assertThat(link.inFlight()).isZero();
        assertThat(link.state()).isEqualTo("verified, breaker open");
    }

    @Test
    void responsesByTheDeadlineWhenTheServerDoesNot() {
        MemcachedServer link = rig.ready(Rig.SERVER, Rig.MARK);

        link.spend(rig.token(), rig.channel.eventLoop(), System.nanoTime(), rig.responses::add);
        rig.channel.runScheduledPendingTasks();

        assertThat(response()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void looksTheNameUpAnewForEachConnection() {
        MemcachedServer link = rig.link();
        open(link);
        rig.pipe().alive = false;
        link.tend(start + REOPEN);

        assertThat(rig.addresses).hasSize(2);
        assertThat(rig.addresses.get(1)).isNotSameAs(rig.addresses.get(0)).isEqualTo(rig.addresses.get(0));
    }

    @Test
    void connectsAnewHalfASecondAfterTheConnectionEnded() {
        MemcachedServer link = rig.link();
        open(link);
        rig.pipe().alive = false;

        link.tend(start + REOPEN - 1);
        assertThat(rig.pipes).hasSize(1);
        link.tend(start + REOPEN);
        assertThat(rig.pipes).hasSize(2);
        assertThat(rig.pipes.get(0).closed).isTrue();
        assertThat(rig.pipe().closed).isFalse();
        assertThat(rig.events("recreated")).as("it had ended by itself").isZero();
    }

    @Test
    void connectsAnewWhenTheServerShowsNoMark() {
        MemcachedServer link = rig.link();
        open(link);
        connect();

        link.tend(start + PATIENCE - 1);
        assertThat(rig.pipes).hasSize(1);
        link.tend(start + PATIENCE + TimeUnit.SECONDS.toNanos(1));
        assertThat(rig.pipes).hasSize(2);
        assertThat(rig.pipes.get(0).closed).isTrue();
        assertThat(rig.events("recreated")).isEqualTo(1);
    }

    @Test
    void connectsAnewAfterManyFailuresInARowAndNotAfterAsManyWithASuccessBetween() {
        MemcachedServer link = rig.link();
        open(link);
        connect();
        show();
        fail(link, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);
        link.heard(StoreReply.NOT_STORED);
        fail(link, MemcachedServer.MAX_FAILURES_IN_A_ROW - 1);

        // Verified since it was opened, so that time alone is no reason.
        link.tend(start + PATIENCE);
        assertThat(rig.pipes).hasSize(1);
        fail(link, 1);
        link.tend(start + PATIENCE);
        assertThat(rig.pipes).hasSize(2);
    }

    @Test
    void closesTheBreakerWhenTheServerThatWasAwayShowsItsMark() {
        MemcachedServer link = rig.link();
        fail(link, 64);
        assertThat(link.state()).isEqualTo("not connected, breaker open");
        open(link);
        connect();
        assertThat(link.state()).isEqualTo("connected, epoch mark not verified, breaker open");

        show();

        assertThat(link.state()).isEqualTo("verified, breaker closed");
    }

    @Test
    void sparesNoSpendForWhatFailedBeforeTheServerShowedItsMarkAgain() {
        MemcachedServer link = rig.link();
        open(link);
        connect();
        show();
        fail(link, 32);
        long now = System.nanoTime();
        link.tend(now);
        link.tend(now + REOPEN);
        fail(link, 15);
        assertThat(link.state()).isEqualTo("verified, breaker half-open");

        show();

        assertThat(link.state()).isEqualTo("verified, breaker closed");
        fail(link, 1);
        for (int i = 0; i < 59; i++) {
            spend(link);
        }
        assertThat(rig.pipe().spends).hasSize(59);
    }

    @Test
    void looksAtTheMarkOftenerWhileTheBreakerIsNotClosed() {
        MemcachedServer link = rig.link();
        open(link);
        connect();
        show();
        long now = System.nanoTime();
        link.tend(now);
        assertThat(rig.pipe().waiting()).isZero();

        fail(link, 32);
        link.tend(now);

        assertThat(rig.pipe().waiting()).isEqualTo(2);
    }

    @Test
    void goesOnWhenAConnectionCanNotBeOpened() {
        List<String> asked = new ArrayList<>();
        MemcachedServer link =
                new MemcachedServer(Rig.SERVER, rig.tools, MemcachedServer.Witnesses.NONE, (address, contact) -> {
                    asked.add(address.toString());
                    throw new IOException("planted");
                });

        open(link);
        link.tend(start + PATIENCE);

        assertThat(asked).hasSize(2);
        assertThat(link.readyPipe()).isNull();
    }

    @Test
    void opensNothingForANameThatDoesNotResolve() {
        MemcachedServer link = rig.link(
                new MemcachedServer.Server("nowhere.invalid:1", "nowhere.invalid", 1, 0, true),
                MemcachedServer.Witnesses.NONE);

        open(link);

        assertThat(rig.pipes).isEmpty();
    }

    @Test
    void closesItsConnectionAndSendsNothingMore() {
        MemcachedServer link = rig.ready(Rig.SERVER, Rig.MARK);

        link.close();

        assertThat(rig.pipe().closed).isTrue();
        assertThat(link.readyPipe()).isNull();
        assertThat(link.inFlight()).isZero();
    }

    @Test
    void countsConnectionsThatCameAndWent() {
        MemcachedServer link = rig.link();
        open(link);
        connect();
        rig.pipe().contact().connectionLost(rig.addresses.get(0));

        assertThat(rig.events("connected")).isEqualTo(1);
        assertThat(rig.events("connection-lost")).isEqualTo(1);
    }

    /** From then on time is counted. */
    private void open(MemcachedServer link) {
        start = System.nanoTime();
        link.tend(start);
    }

    private void connect() {
        rig.pipe().contact().connectionEstablished(InetSocketAddress.createUnresolved("server", 1), 0);
        rig.settle();
    }

    /** Answers what the check of the mark asks. */
    private void show() {
        rig.pipe().response("NOT_STORED\r\n");
        String mark = new String(Rig.MARK, US_ASCII);
        rig.pipe().response("VALUE test:1:epoch 0 " + mark.length() + " 1\r\n" + mark + "\r\nEND\r\n");
        rig.settle();
    }

    private static void fail(MemcachedServer link, int times) {
        for (int i = 0; i < times; i++) {
            link.timedOut();
        }
    }

    private void spend(MemcachedServer link) {
        long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        link.spend(rig.token(), rig.channel.eventLoop(), deadline, rig.responses::add);
    }

    private SpendResult response() {
        assertThat(rig.responses).hasSize(1);
        PendingSpend response = rig.responses.remove(0);
        assertThat(response.busy()).isFalse();
        return response.result();
    }
}
