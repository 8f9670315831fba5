package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.StoreReply;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Refunds spends of exchanges that were not forwarded: {@code gets}, and if the value is the one of this spend, {@code cas} with an expiry
 * in the past.
 *
 * <p>A server that was frozen may execute an {@code add} late, after its connection was lost. Therefore a missing key is checked again for
 * about half a minute. The {@code cas} is sent only once, since after a lost response its effect is unknown. Thread-safe; works on the
 * ledger's thread.
 */
final class MemcachedRefunds {

    private static final int MAX_WAITING = 10_000;
    private static final long[] PAUSES_MILLIS = {250, 500, 1_000, 2_000, 4_000, 8_000, 16_000};
    private static final long AWAY_PAUSE_MILLIS = 100;
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long COMMAND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MemcachedServer.Tools tools;
    private final AtomicInteger waiting = new AtomicInteger();

    MemcachedRefunds(MemcachedServer.Tools tools) {
        this.tools = tools;
    }

    void add(PendingAdd pendingAdd) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            ended(Event.NOT_GIVEN_BACK);
            return;
        }
        Return one = new Return(pendingAdd, System.nanoTime());
        tools.scheduler().now(() -> look(one));
    }

    private void look(Return one) {
        if (System.nanoTime() - one.start > GIVE_UP_NANOS) {
            ended(Event.NOT_GIVEN_BACK);
            return;
        }
        MemcachedConnection connection = one.pendingAdd.server().readyPipe();
        byte[] text = text(one);
        long deadline = System.nanoTime() + COMMAND_NANOS;
        if (connection == null
                || !connection.send(new GetsCommand(
                        MemcachedEncoding.gets(text), deadline, response -> found(one, connection, response)))) {
            tools.scheduler().later(() -> look(one), AWAY_PAUSE_MILLIS);
        }
    }

    private void found(Return one, MemcachedConnection connection, GetsReply.Response response) {
        switch (response.reply()) {
            case STORED -> {
                if (Arrays.equals(response.value(), one.pendingAdd.value())) {
                    expire(one, connection, response.cas());
                } else {
                    // Another caller spent the token meanwhile.
                    ended(Event.NOT_GIVEN_BACK);
                }
            }
            case NOT_STORED -> lookAgain(one);
            case REFUSED, UNSENT, LOST -> tools.scheduler().later(() -> look(one), AWAY_PAUSE_MILLIS);
        }
    }

    private void lookAgain(Return one) {
        if (one.pendingAdd.reply() == StoreReply.STORED || one.looks >= PAUSES_MILLIS.length) {
            // The server lost the key, or the add never arrived.
            ended(Event.NOT_GIVEN_BACK);
        } else {
            tools.scheduler().later(() -> look(one), PAUSES_MILLIS[one.looks++]);
        }
    }

    private void expire(Return one, MemcachedConnection connection, long cas) {
        long deadline = System.nanoTime() + COMMAND_NANOS;
        StoreCommand command = new StoreCommand(MemcachedEncoding.expire(text(one), cas), deadline, reply -> {
            if (reply == StoreReply.STORED) {
                tools.known().forget(one.pendingAdd.redemption().key());
            }
            ended(reply == StoreReply.STORED ? Event.GIVEN_BACK : Event.NOT_GIVEN_BACK);
        });
        if (!connection.send(command)) {
            ended(Event.NOT_GIVEN_BACK);
        }
    }

    private byte[] text(Return one) {
        return tools.keys().of(one.pendingAdd.redemption().key());
    }

    private void ended(Event event) {
        waiting.decrementAndGet();
        tools.meters().event(event);
    }

    private static final class Return {

        private final PendingAdd pendingAdd;
        private final long start;
        private int looks;

        Return(PendingAdd pendingAdd, long start) {
            this.pendingAdd = pendingAdd;
            this.start = start;
        }
    }
}
