package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.SpendAttempt;
import dev.postern.auth.spend.store.StoreReply;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Pending insert of one token at one server. Lettuce's threads receive the reply. */
final class PendingInsert extends SpendAttempt {

    private final Request request;
    private final RedisServer server;

    /**
     * Arguments of an insert.
     *
     * @param key full key at the server
     * @param shard shard of the key
     * @param marker the epoch marker of the shard that the gateway knows
     * @param epoch epoch in which the token was issued
     * @param attempt 16 random bytes that distinguish this insert from all others
     * @param millis time to live in milliseconds, in digits: a duration and not a date, since clocks differ
     */
    record Request(
            Redemption redemption, byte[] key, int shard, byte[] marker, byte[] epoch, byte[] attempt, byte[] millis) {}

    PendingInsert(
            Request request,
            RedisServer server,
            EventLoopDeadlines deadlines,
            long deadlineNanos,
            SpendListener listener) {
        super(request.redemption, deadlines, deadlineNanos, listener);
        this.request = request;
        this.server = server;
    }

    /**
     * Takes the server's response, or the reason why there is none.
     *
     * @param copied completes when it is known whether a replica has the stored key; a stored key is verified only then
     */
    void came(@Nullable Long response, @Nullable Throwable failure, CompletableFuture<Boolean> copied) {
        if (response == null) {
            ended(failure instanceof RedisCommandExecutionException ? StoreReply.REFUSED : StoreReply.LOST);
        } else if (response == Scripts.STORED) {
            settled(StoreReply.STORED);
            copied.thenAccept(this::copied);
        } else {
            ended(response == Scripts.SPENT ? StoreReply.NOT_STORED : StoreReply.REFUSED);
        }
    }

    private void copied(boolean enough) {
        server.leave();
        verified(enough && server.verify(request));
    }

    private void ended(StoreReply reply) {
        if (reply == StoreReply.REFUSED) {
            server.doubt();
        }
        server.leave();
        settled(reply);
    }

    /** Settles an insert whose command was not sent. */
    void unsent() {
        ended(StoreReply.UNSENT);
    }

    Request request() {
        return request;
    }

    @Override
    protected RedisServer server() {
        return server;
    }
}
