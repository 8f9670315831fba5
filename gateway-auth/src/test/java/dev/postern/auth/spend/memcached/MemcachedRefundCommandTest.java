package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemcachedRefundCommandTest {

    private static final int MAX = 10_000;

    private final MemcachedFixture fixture = new MemcachedFixture();
    private final MemcachedServer server = fixture.ready(MemcachedFixture.SERVER, MemcachedFixture.MARKER);
    private final FakeMemcachedConnection connection = fixture.connection();
    private final Refunds<PendingAdd> refunds =
            new Refunds<>(fixture.resources, new MemcachedRefundCommand(fixture.encoding, Ticker.systemTicker()));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void expiresItsOwnSpendByCasAndRemovesItFromTheCache() {
        PendingAdd add = attempt(StoreReply.STORED);
        byte[] key = add.redemption().key();
        fixture.spent.add(key);
        String text = new String(fixture.encoding.of(key), ISO_8859_1);

        refunds.add(add);

        assertThat(connection.response(refundText(add))).isEqualTo("gets " + text + "\r\n");
        assertThat(fixture.spent.contains(key)).isTrue();
        assertThat(connection.response("STORED\r\n")).isEqualTo("cas " + text + " 0 2592001 0 77\r\n\r\n");
        assertThat(fixture.spent.contains(key)).isFalse();
        assertEnded(1, 0);
    }

    @Test
    void keepsTheSpendOfAnotherRequest() {
        PendingAdd add = attempt(StoreReply.STORED);
        fixture.spent.add(add.redemption().key());

        refunds.add(add);
        connection.response(refundText(attempt(StoreReply.STORED)));

        assertEnded(0, 1);
        assertThat(fixture.spent.contains(add.redemption().key())).isTrue();
    }

    @Test
    void sendsTheCasOnce() {
        for (String response : new String[] {"EXISTS\r\n", "NOT_FOUND\r\n", "SERVER_ERROR busy\r\n"}) {
            PendingAdd add = attempt(StoreReply.STORED);
            refunds.add(add);
            connection.response(refundText(add));
            connection.response(response);
        }
        PendingAdd lost = attempt(StoreReply.STORED);
        refunds.add(lost);
        connection.response(refundText(lost));
        connection.next().drop();
        PendingAdd refused = attempt(StoreReply.STORED);
        refunds.add(refused);
        MemcachedCommand gets = connection.next();
        connection.takes = false;
        FakeMemcachedConnection.read(gets, refundText(refused));

        assertEnded(0, 5);
    }

    @Test
    void doesNotRepeatForASpendThatWasStoredAndIsGone() {
        refunds.add(attempt(StoreReply.STORED));
        connection.response("END\r\n");

        assertEnded(0, 1);
    }

    @Test
    void repeatsForASpendThatMayBeStoredLate() {
        PendingAdd add = attempt(StoreReply.LOST);
        refunds.add(add);

        connection.response("END\r\n");
        connection.response("END\r\n");
        assertEnded(0, 0);
        connection.response(refundText(add));
        connection.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void repeatsWithoutAResponse() {
        PendingAdd add = attempt(StoreReply.STORED);
        refunds.add(add);

        connection.next().drop();
        connection.response("SERVER_ERROR busy\r\n");
        connection.response(refundText(add));
        connection.response("STORED\r\n");

        assertEnded(1, 0);
    }

    @Test
    void waitsForAConnection() {
        PendingAdd add = attempt(StoreReply.STORED);
        connection.connection().marker(null);
        refunds.add(add);
        fixture.settle();
        assertThat(connection.waiting()).isZero();
        connection.takes = false;
        connection.connection().marker(MemcachedFixture.MARKER);
        assertEnded(0, 0);

        connection.takes = true;

        connection.response(refundText(add));
        connection.response("STORED\r\n");
        assertEnded(1, 0);
    }

    @Test
    void limitsPendingRefunds() {
        connection.takes = false;
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
            connection.response("END\r\n");
        }

        refunds.add(add);

        assertThat(connection.response(refundText(add))).startsWith("gets ");
    }

    @Test
    void reportsWhetherItWasSent() {
        MemcachedRefundCommand command = new MemcachedRefundCommand(fixture.encoding, Ticker.systemTicker());
        PendingAdd add = attempt(StoreReply.STORED);

        assertThat(command.send(add, outcome -> {})).isTrue();
        connection.takes = false;
        assertThat(command.send(add, outcome -> {})).isFalse();
        connection.connection().marker(null);
        assertThat(command.send(add, outcome -> {})).isFalse();
    }

    @Test
    void givesUpAfterMoreThanAMinuteWithoutAConnection() throws Exception {
        MockTicker ticker = Ticker.newMockTicker();
        CompletableFuture<Boolean> checkedAgain = new CompletableFuture<>();
        try (MemcachedFixture disconnected = new MemcachedFixture(1, ticker)) {
            List<Long> attempts = new ArrayList<>();
            Refunds<PendingAdd> waiting = new Refunds<>(disconnected.resources, (add, outcome) -> {
                attempts.add(TimeUnit.NANOSECONDS.toSeconds(ticker.nanoTime()));
                if (attempts.size() == 1) {
                    ticker.advance(60, TimeUnit.SECONDS);
                } else if (attempts.size() == 2) {
                    ticker.advance(1, TimeUnit.NANOSECONDS);
                    // Behind the next check, which has the same delay and is scheduled first.
                    disconnected.scheduler.now(
                            () -> disconnected.scheduler.later(() -> checkedAgain.complete(true), 100));
                }
                return false;
            });

            waiting.add(disconnected.attempt(disconnected.server()));

            checkedAgain.get(10, TimeUnit.SECONDS);
            assertThat(attempts).containsExactly(0L, 60L);
            assertThat(disconnected.events("not-given-back")).isEqualTo(1);
        }
    }

    private PendingAdd attempt(StoreReply reply) {
        PendingAdd add = fixture.attempt(server);
        connection.settle(add, reply);
        return add;
    }

    private void assertEnded(int refunded, int not) {
        fixture.settle();
        assertThat(fixture.events("given-back")).isEqualTo(refunded);
        assertThat(fixture.events("not-given-back")).isEqualTo(not);
    }

    private static String refundText(PendingAdd add) {
        return "VALUE key 0 16 77\r\n" + new String(add.value(), ISO_8859_1) + "\r\nEND\r\n";
    }
}
