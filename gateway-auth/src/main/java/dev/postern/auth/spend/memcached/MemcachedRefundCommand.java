package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.Refunds.Outcome;
import dev.postern.auth.spend.store.Refunds.RefundCommand;
import dev.postern.auth.spend.store.StoreReply;
import io.netty.util.concurrent.Ticker;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Refund command of memcached: {@code gets}, and if the value is the one of the spend, {@code cas} with an expiry in the past. The {@code
 * cas} is sent only once, since after a lost reply its effect is unknown.
 */
record MemcachedRefundCommand(MemcachedEncoding encoding, Ticker ticker) implements RefundCommand<PendingAdd> {

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public boolean send(PendingAdd add, Consumer<Outcome> outcome) {
        MemcachedConnection connection = add.server().readyConnection();
        byte[] key = encoding.of(add.redemption().key());
        return connection != null
                && connection.send(new GetsCommand(
                        MemcachedEncoding.gets(key),
                        deadline(),
                        response -> found(add, key, connection, response, outcome)));
    }

    private void found(
            PendingAdd add,
            byte[] key,
            MemcachedConnection connection,
            GetsReply.Response response,
            Consumer<Outcome> outcome) {
        switch (response.reply()) {
            case STORED -> {
                if (Arrays.equals(response.value(), add.value())) {
                    expire(key, connection, response.cas(), outcome);
                } else {
                    // Another caller spent the token meanwhile.
                    outcome.accept(Outcome.KEPT);
                }
            }
            case NOT_STORED -> outcome.accept(Outcome.ABSENT);
            case REFUSED, UNSENT, LOST -> outcome.accept(Outcome.NO_REPLY);
        }
    }

    private void expire(byte[] key, MemcachedConnection connection, long cas, Consumer<Outcome> outcome) {
        StoreCommand command = new StoreCommand(
                MemcachedEncoding.expire(key, cas),
                deadline(),
                reply -> outcome.accept(reply == StoreReply.STORED ? Outcome.REMOVED : Outcome.KEPT));
        if (!connection.send(command)) {
            outcome.accept(Outcome.KEPT);
        }
    }

    private long deadline() {
        return ticker.nanoTime() + TIMEOUT_NANOS;
    }
}
