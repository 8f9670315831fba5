package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.StoreReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedRefundsTest {

    private static final int MAX = 10_000;

    private final Rig rig = new Rig();
    private final MemcachedServer link = rig.ready(Rig.SERVER, Rig.MARK);
    private final FakePipe pipe = rig.pipe();
    private final MemcachedRefunds giveBacks = new MemcachedRefunds(rig.tools);

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void expiresOurOwnMarkByItsCasAndForgetsThatItWasSpent() {
        PendingAdd attempt = attempt(StoreReply.STORED);
        byte[] key = attempt.redemption().key();
        rig.known.add(key);
        String text = new String(rig.keys.of(key), ISO_8859_1);

        giveBacks.add(attempt);

        assertThat(pipe.response(holds(attempt))).isEqualTo("gets " + text + "\r\n");
        assertThat(rig.known.contains(key)).isTrue();
        assertThat(pipe.response("STORED\r\n")).isEqualTo("cas " + text + " 0 2592001 0 77\r\n\r\n");
        assertThat(rig.known.contains(key)).isFalse();
        assertEnded(1, 0);
    }

    @Test
    void leavesWhatAnotherStored() {
        PendingAdd attempt = attempt(StoreReply.STORED);
        rig.known.add(attempt.redemption().key());

        giveBacks.add(attempt);
        pipe.response(holds(attempt(StoreReply.STORED)));

        assertEnded(0, 1);
        assertThat(rig.known.contains(attempt.redemption().key())).isTrue();
    }

    @Test
    void sendsTheCasOnceWhateverBecomesOfIt() {
        for (String response : new String[] {"EXISTS\r\n", "NOT_FOUND\r\n", "SERVER_ERROR busy\r\n"}) {
            PendingAdd attempt = attempt(StoreReply.STORED);
            giveBacks.add(attempt);
            pipe.response(holds(attempt));
            pipe.response(response);
        }
        PendingAdd lost = attempt(StoreReply.STORED);
        giveBacks.add(lost);
        pipe.response(holds(lost));
        pipe.next().cancel();
        PendingAdd refused = attempt(StoreReply.STORED);
        giveBacks.add(refused);
        MemcachedCommand gets = pipe.next();
        pipe.takes = false;
        FakePipe.read(gets, holds(refused));

        assertEnded(0, 5);
    }

    @Test
    void doesNotLookAgainForWhatWasStoredAndIsGone() {
        giveBacks.add(attempt(StoreReply.STORED));
        pipe.response("END\r\n");

        assertEnded(0, 1);
    }

    @Test
    void looksAgainForWhatMayBeStoredLate() {
        PendingAdd attempt = attempt(StoreReply.LOST);
        giveBacks.add(attempt);

        pipe.response("END\r\n");
        pipe.response("END\r\n");
        assertEnded(0, 0);
        pipe.response(holds(attempt));
        pipe.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void looksAgainWhenItGotNoResponse() {
        PendingAdd attempt = attempt(StoreReply.STORED);
        giveBacks.add(attempt);

        pipe.next().cancel();
        pipe.response("SERVER_ERROR busy\r\n");
        pipe.response(holds(attempt));
        pipe.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void waitsForAConnection() {
        PendingAdd attempt = attempt(StoreReply.STORED);
        pipe.contact().mark(null);
        giveBacks.add(attempt);
        rig.settle();
        assertThat(pipe.waiting()).isZero();
        pipe.takes = false;
        pipe.contact().mark(Rig.MARK);
        assertEnded(0, 0);

        pipe.takes = true;

        pipe.response(holds(attempt));
        pipe.response("STORED\r\n");
        assertEnded(1, 0);
    }

    @Test
    void hasABound() {
        pipe.takes = false;
        for (int i = 0; i < MAX; i++) {
            giveBacks.add(attempt(StoreReply.STORED));
        }
        assertThat(rig.events("not-given-back")).isZero();

        giveBacks.add(attempt(StoreReply.STORED));

        assertThat(rig.events("not-given-back")).isEqualTo(1);
    }

    @Test
    void countsOnlyThoseThatStillWait() {
        PendingAdd attempt = attempt(StoreReply.STORED);
        for (int i = 0; i < MAX + 1; i++) {
            giveBacks.add(attempt);
            pipe.response("END\r\n");
        }

        giveBacks.add(attempt);

        assertThat(pipe.response(holds(attempt))).startsWith("gets ");
    }

    private PendingAdd attempt(StoreReply fate) {
        PendingAdd attempt = rig.attempt(link);
        pipe.settle(attempt, fate);
        return attempt;
    }

    private void assertEnded(int givenBack, int not) {
        rig.settle();
        assertThat(rig.events("given-back")).isEqualTo(givenBack);
        assertThat(rig.events("not-given-back")).isEqualTo(not);
    }

    private static String holds(PendingAdd attempt) {
        return "VALUE key 0 16 77\r\n" + new String(MemcachedEncoding.mark(attempt), ISO_8859_1) + "\r\nEND\r\n";
    }
}
