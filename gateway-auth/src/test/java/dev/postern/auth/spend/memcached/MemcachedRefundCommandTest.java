package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedRefundCommandTest {

    private static final int MAX = 10_000;

    private final Rig rig = new Rig();
    private final MemcachedServer server = rig.ready(Rig.SERVER, Rig.MARK);
    private final FakePipe pipe = rig.pipe();
    private final Refunds<PendingAdd> refunds = new Refunds<>(rig.resources, new MemcachedRefundCommand(rig.keys));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void expiresOurOwnMarkByItsCasAndForgetsThatItWasSpent() {
        PendingAdd add = attempt(StoreReply.STORED);
        byte[] key = add.redemption().key();
        rig.known.add(key);
        String text = new String(rig.keys.of(key), ISO_8859_1);

        refunds.add(add);

        assertThat(pipe.response(holds(add))).isEqualTo("gets " + text + "\r\n");
        assertThat(rig.known.contains(key)).isTrue();
        assertThat(pipe.response("STORED\r\n")).isEqualTo("cas " + text + " 0 2592001 0 77\r\n\r\n");
        assertThat(rig.known.contains(key)).isFalse();
        assertEnded(1, 0);
    }

    @Test
    void leavesWhatAnotherStored() {
        PendingAdd add = attempt(StoreReply.STORED);
        rig.known.add(add.redemption().key());

        refunds.add(add);
        pipe.response(holds(attempt(StoreReply.STORED)));

        assertEnded(0, 1);
        assertThat(rig.known.contains(add.redemption().key())).isTrue();
    }

    @Test
    void sendsTheCasOnceWhateverBecomesOfIt() {
        for (String response : new String[] {"EXISTS\r\n", "NOT_FOUND\r\n", "SERVER_ERROR busy\r\n"}) {
            PendingAdd add = attempt(StoreReply.STORED);
            refunds.add(add);
            pipe.response(holds(add));
            pipe.response(response);
        }
        PendingAdd lost = attempt(StoreReply.STORED);
        refunds.add(lost);
        pipe.response(holds(lost));
        pipe.next().drop();
        PendingAdd refused = attempt(StoreReply.STORED);
        refunds.add(refused);
        MemcachedCommand gets = pipe.next();
        pipe.takes = false;
        FakePipe.read(gets, holds(refused));

        assertEnded(0, 5);
    }

    @Test
    void doesNotLookAgainForWhatWasStoredAndIsGone() {
        refunds.add(attempt(StoreReply.STORED));
        pipe.response("END\r\n");

        assertEnded(0, 1);
    }

    @Test
    void looksAgainForWhatMayBeStoredLate() {
        PendingAdd add = attempt(StoreReply.LOST);
        refunds.add(add);

        pipe.response("END\r\n");
        pipe.response("END\r\n");
        assertEnded(0, 0);
        pipe.response(holds(add));
        pipe.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void looksAgainWhenItGotNoResponse() {
        PendingAdd add = attempt(StoreReply.STORED);
        refunds.add(add);

        pipe.next().drop();
        pipe.response("SERVER_ERROR busy\r\n");
        pipe.response(holds(add));
        pipe.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void waitsForAConnection() {
        PendingAdd add = attempt(StoreReply.STORED);
        pipe.connection().mark(null);
        refunds.add(add);
        rig.settle();
        assertThat(pipe.waiting()).isZero();
        pipe.takes = false;
        pipe.connection().mark(Rig.MARK);
        assertEnded(0, 0);

        pipe.takes = true;

        pipe.response(holds(add));
        pipe.response("STORED\r\n");
        assertEnded(1, 0);
    }

    @Test
    void hasABound() {
        pipe.takes = false;
        for (int i = 0; i < MAX; i++) {
            refunds.add(attempt(StoreReply.STORED));
        }
        assertThat(rig.events("not-given-back")).isZero();

        refunds.add(attempt(StoreReply.STORED));

        assertThat(rig.events("not-given-back")).isEqualTo(1);
    }

    @Test
    void countsOnlyThoseThatStillWait() {
        PendingAdd add = attempt(StoreReply.STORED);
        for (int i = 0; i < MAX + 1; i++) {
            refunds.add(add);
            pipe.response("END\r\n");
        }

        refunds.add(add);

        assertThat(pipe.response(holds(add))).startsWith("gets ");
    }

    private PendingAdd attempt(StoreReply reply) {
        PendingAdd add = rig.attempt(server);
        pipe.settle(add, reply);
        return add;
    }

    private void assertEnded(int givenBack, int not) {
        rig.settle();
        assertThat(rig.events("given-back")).isEqualTo(givenBack);
        assertThat(rig.events("not-given-back")).isEqualTo(not);
    }

    private static String holds(PendingAdd add) {
        return "VALUE key 0 16 77\r\n" + new String(add.value(), ISO_8859_1) + "\r\nEND\r\n";
    }
}
