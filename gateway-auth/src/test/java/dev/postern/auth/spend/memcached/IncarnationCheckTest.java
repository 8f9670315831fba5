package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.StoreReply;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A router at one address and two servers behind it. */
class IncarnationCheckTest {

    private final Rig rig = new Rig(3);
    private final FakePipe router = new FakePipe(new MarkedConnection(new MarkedConnection.Listener() {}));
    private final MemcachedServer firstLink = rig.ready(server(1), Rig.MARK);
    private final FakePipe first = rig.pipe();
    private final MemcachedServer secondLink = rig.ready(server(2), Rig.OTHER_MARK);
    private final FakePipe second = rig.pipe();
    private final AllServersCheck all = new AllServersCheck(List.of(
            new IncarnationCheck(firstLink, rig.marks, rig.keys),
            new IncarnationCheck(secondLink, rig.marks, rig.keys)));
    private final MemcachedServer memcachedServer = rig.handle(Rig.SERVER, all);

    @BeforeEach
    void verify() {
        rig.marks.seen(0, Rig.MARK);
        router.connection().mark(Rig.MARK);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void isFreshOnceAllServersBehindTheRouterShowedTheirMarks() {
        PendingAdd add = stored();
        assertThat(add.responded()).isFalse();

        assertThat(first.response(shown(Rig.MARK))).isEqualTo("gets test:1:epoch\r\n");
        assertThat(add.responded()).isFalse();
        second.response(shown(Rig.OTHER_MARK));

        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
        assertThat(rig.responses).hasSize(1);
    }

    @Test
    void isNotFreshWhereAnyOfThemHasAnotherMarkOrNone() {
        for (String other : new String[] {shown(Rig.OTHER_MARK), "END\r\n", "SERVER_ERROR busy\r\n"}) {
            PendingAdd add = stored();
            first.response(other);
            assertThat(add.responded()).isFalse();
            second.response(shown(Rig.OTHER_MARK));
            assertThat(add.result()).as(other).isEqualTo(SpendResult.UNKNOWN);
        }
        PendingAdd add = stored();
        first.response(shown(Rig.MARK));
        second.response(shown(Rig.MARK));
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
    }

    @Test
    void asksNobodyWhereTheRoutersOwnMarkIsNotGood() {
        router.connection().mark(Rig.OTHER_MARK);

        assertThat(stored().result()).isEqualTo(SpendResult.UNKNOWN);

        assertThat(first.waiting()).isZero();
    }

    @Test
    void doesNotTakeAResponseThatWasAskedForBeforeItStored() {
        PendingAdd early = stored();
        PendingAdd late = stored();
        assertThat(first.waiting()).as("one question at a time").isEqualTo(1);

        first.response(shown(Rig.MARK));
        second.response(shown(Rig.OTHER_MARK));
        assertThat(early.result()).isEqualTo(SpendResult.FRESH);
        assertThat(late.responded()).isFalse();
        first.response(shown(Rig.OTHER_MARK));
        second.response(shown(Rig.OTHER_MARK));

        assertThat(late.result()).as("the first one forgot in between").isEqualTo(SpendResult.UNKNOWN);
        assertThat(first.waiting()).isZero();
    }

    @Test
    void asksOnceForAllThatWait() {
        stored();
        List<PendingAdd> late = List.of(stored(), stored(), stored());

        for (int i = 0; i < 2; i++) {
            first.response(shown(Rig.MARK));
            second.response(shown(Rig.OTHER_MARK));
        }

        assertThat(late).extracting(PendingAdd::result).containsOnly(SpendResult.FRESH);
        assertThat(first.waiting()).isZero();
        assertThat(second.waiting()).isZero();
    }

    @Test
    void isUnknownAtOnceWhenAWitnessCanNotBeAsked() {
        first.connection().mark(null);
        PendingAdd add = stored();
        second.response(shown(Rig.OTHER_MARK));
        assertThat(add.result()).isEqualTo(SpendResult.UNKNOWN);
        assertThat(add.responded()).isTrue();

        first.connection().mark(Rig.MARK);
        first.takes = false;
        PendingAdd another = stored();
        second.response(shown(Rig.OTHER_MARK));
        assertThat(another.responded()).isTrue();

        first.takes = true;
        PendingAdd last = stored();
        first.response(shown(Rig.MARK));
        second.response(shown(Rig.OTHER_MARK));
        assertThat(last.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void doesNotWaitForAConnectionThatWasReplaced() {
        stored();
        first.alive = false;
        firstLink.tend(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        FakePipe next = rig.pipe();
        assertThat(next).isNotSameAs(first);
        next.connection().mark(Rig.MARK);

        PendingAdd add = stored();
        next.response(shown(Rig.MARK));
        second.response(shown(Rig.OTHER_MARK));
        second.response(shown(Rig.OTHER_MARK));

        assertThat(add.result()).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void asksAServerThatEvictsWhetherItDid() {
        MemcachedServer evicting = rig.handle(server(1), MemcachedServer.SpendCheck.NONE);
        evicting.tend(System.nanoTime());
        FakePipe pipe = rig.pipe();
        pipe.connection().established();
        pipe.response("STAT evictions on\r\nEND\r\n");
        pipe.response("STAT evictions 0\r\nEND\r\n");
        pipe.response("NOT_STORED\r\n");
        pipe.response(shown(Rig.MARK));

        for (String said : new String[] {"STAT evictions 0\r\nEND\r\n", "STAT evictions 1\r\nEND\r\n", "END\r\n"}) {
            PendingAdd add = rig.attempt(evicting);
            pipe.settle(add, StoreReply.STORED);
            assertThat(add.responded()).isFalse();
            assertThat(pipe.response(said)).isEqualTo("stats\r\n");
            assertThat(add.responded()).isFalse();
            pipe.response(shown(Rig.MARK));
            assertThat(add.result()).isEqualTo(said.contains(" 0") ? SpendResult.FRESH : SpendResult.UNKNOWN);
        }
    }

    private PendingAdd stored() {
        PendingAdd add = rig.attempt(memcachedServer);
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
