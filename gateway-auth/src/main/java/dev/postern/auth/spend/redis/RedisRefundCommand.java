package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.Refunds.Outcome;
import dev.postern.auth.spend.store.Refunds.RefundCommand;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Refund command of Redis: one script compares and deletes, so it may be sent again. The outcome is passed on the ledger's thread. */
record RedisRefundCommand(RedisTopology topology, LedgerScheduler scheduler) implements RefundCommand<PendingInsert> {

    @Override
    public boolean send(PendingInsert insert, Consumer<Outcome> outcome) {
        PendingInsert.Request request = insert.request();
        RedisServer server = topology.of(request.shard());
        RedisConnection connection = server == null ? null : server.connection();
        if (connection == null || !connection.ready()) {
            return false;
        }
        StatefulRedisConnection<byte[], byte[]> to = connection.connection();
        byte[][] keys = {request.key()};
        try {
            new ScriptCall(Scripts.REFUND, ScriptOutputType.INTEGER, keys, request.attempt())
                    .<Long>write(to)
                    .whenComplete((response, failure) -> {
                        connection.failed(failure);
                        scheduler.now(() -> outcome.accept(outcomeOf(response)));
                    });
            to.flushCommands();
            return true;
        } catch (RedisException e) {
            return false;
        }
    }

    private static Outcome outcomeOf(@Nullable Long response) {
        if (response == null) {
            return Outcome.NO_REPLY;
        }
        if (response == Scripts.REFUNDED) {
            return Outcome.REMOVED;
        }
        return response == Scripts.NOT_THERE ? Outcome.ABSENT : Outcome.KEPT;
    }
}
