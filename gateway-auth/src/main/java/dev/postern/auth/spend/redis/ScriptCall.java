package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.redis.Scripts.Script;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Call of a script by its name, repeated with its text if the server does not know the name, for example after SCRIPT FLUSH: the script has
 * not run then, so nothing happens twice. Thread-safe.
 *
 * @param type type of the script's result
 */
record ScriptCall(Script script, ScriptOutputType type, byte[][] keys, byte[]... values) {

    /** Writes the call, which the next flush sends. The future completes on a thread of Lettuce. */
    <T> CompletableFuture<T> write(StatefulRedisConnection<byte[], byte[]> connection) {
        CompletableFuture<T> result = new CompletableFuture<>();
        connection.async().<T>evalsha(script.name(), type, keys, values).whenComplete((response, failure) -> {
            if (failure instanceof RedisNoScriptException) {
                repeat(connection, result);
            } else {
                complete(result, response, failure);
            }
        });
        return result;
    }

    private <T> void repeat(StatefulRedisConnection<byte[], byte[]> connection, CompletableFuture<T> result) {
        try {
            connection
                    .async()
                    .<T>eval(script.text(), type, keys, values)
                    .whenComplete((response, failure) -> complete(result, response, failure));
            connection.flushCommands();
        } catch (RedisException e) {
            result.completeExceptionally(e);
        }
    }

    private static <T> void complete(CompletableFuture<T> result, @Nullable T response, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(response);
        } else {
            result.completeExceptionally(failure);
        }
    }
}
