package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedRefundCommandTest {

    private static final int MAX = 10_000;

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARK);
    private final FakeMemcachedConnection pipe = fixture.pipe();
    private final Refunds<PendingAdd> refunds =
            new Refunds<>(fixture.resources, new MemcachedRefundCommand(fixture.keys, Ticker.systemTicker()));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void expiresItsOwnSpendByCasAndRemovesItFromTheCache() {
        PendingAdd add = attempt(StoreReply.STORED);
        byte[] key = add.redemption().key();
        fixture.known.add(key);
        String text = new String(fixture.keys.of(key), ISO_8859_1);

        refunds.add(add);

        assertThat(pipe.response(refundText(add))).isEqualTo("gets " + text + "\r\n");
        assertThat(fixture.known.contains(key)).isTrue();
        assertThat(pipe.response("STORED\r\n")).isEqualTo("cas " + text + " 0 2592001 0 77\r\n\r\n");
        assertThat(fixture.known.contains(key)).isFalse();
        assertEnded(1, 0);
    }

    @Test
    void keepsTheSpendOfAnotherRequest() {
        PendingAdd add = attempt(StoreReply.STORED);
        fixture.known.add(add.redemption().key());

        refunds.add(add);
        pipe.response(refundText(attempt(StoreReply.STORED)));

        assertEnded(0, 1);
        assertThat(fixture.known.contains(add.redemption().key())).isTrue();
    }

    @Test
    void sendsTheCasOnce() {
        for (String response : new String[] {"EXISTS\r\n", "NOT_FOUND\r\n", "SERVER_ERROR busy\r\n"}) {
            PendingAdd add = attempt(StoreReply.STORED);
            refunds.add(add);
            pipe.response(refundText(add));
            pipe.response(response);
        }
        PendingAdd lost = attempt(StoreReply.STORED);
        refunds.add(lost);
        pipe.response(refundText(lost));
        pipe.next().drop();
        PendingAdd refused = attempt(StoreReply.STORED);
        refunds.add(refused);
        MemcachedCommand gets = pipe.next();
        pipe.takes = false;
        FakeMemcachedConnection.read(gets, refundText(refused));

        assertEnded(0, 5);
    }

    @Test
    void doesNotRepeatForASpendThatWasStoredAndIsGone() {
        refunds.add(attempt(StoreReply.STORED));
        pipe.response("END\r\n");

        assertEnded(0, 1);
    }

    @Test
    void repeatsForASpendThatMayBeStoredLate() {
        PendingAdd add = attempt(StoreReply.LOST);
        refunds.add(add);

        pipe.response("END\r\n");
        pipe.response("END\r\n");
        assertEnded(0, 0);
        pipe.response(refundText(add));
        pipe.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void repeatsWithoutAResponse() {
        PendingAdd add = attempt(StoreReply.STORED);
        refunds.add(add);

        pipe.next().drop();
        pipe.response("SERVER_ERROR busy\r\n");
        pipe.response(refundText(add));
        pipe.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void waitsForAConnection() {
        PendingAdd add = attempt(StoreReply.STORED);
        pipe.connection().mark(null);
        refunds.add(add);
        fixture.settle();
        assertThat(pipe.waiting()).isZero();
        pipe.takes = false;
        pipe.connection().mark(MemcachedFixture.MARK);
        assertEnded(0, 0);

        pipe.takes = true;

        pipe.response(refundText(add));
        pipe.response("STORED\r\n");
        assertEnded(1, 0);
    }

    @Test
    void limitsPendingRefunds() {
        pipe.takes = false;
        for (int i = 0; i < MAX; i++) {
            refunds.add(attempt(StoreReply.STORED));
        }
        assertThat(fixture.events("not-given-back")).isZero();

        refunds.add(attempt(StoreReply.STORED));

        assertThat(fixture.events("not-given-back")).isEqualTo(1);
    }

    @Test
    void countsOnlyPendingRefunds() {
        PendingAdd add = attempt(StoreReply.STORED);
        for (int i = 0; i < MAX + 1; i++) {
            refunds.add(add);
            pipe.response("END\r\n");
        }

        refunds.add(add);

        assertThat(pipe.response(refundText(add))).startsWith("gets ");
    }

    private PendingAdd attempt(StoreReply reply) {
        PendingAdd add = fixture.attempt(server);
        pipe.settle(add, reply);
        return add;
    }

    private void assertEnded(int givenBack, int not) {
        fixture.settle();
        assertThat(fixture.events("given-back")).isEqualTo(givenBack);
        assertThat(fixture.events("not-given-back")).isEqualTo(not);
    }

    private static String refundText(PendingAdd add) {
        return "VALUE key 0 16 77\r\n" + new String(add.value(), ISO_8859_1) + "\r\nEND\r\n";
    }
}
