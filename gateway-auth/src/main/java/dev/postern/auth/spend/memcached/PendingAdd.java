package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.SpendAttempt;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Pending {@code add} of one token at one server. After STORED, the epoch marker that follows on the same connection verifies the add. */
public final class PendingAdd extends SpendAttempt {

    private final MemcachedServer server;
    private final int number;

    /**
     * @param redemption with the epoch in which the token was issued
     * @param number distinguishes this add from all others of its server handle
     */
    PendingAdd(
            Redemption redemption,
            MemcachedServer server,
            EventLoopDeadlines deadlines,
            long deadlineNanos,
            int number,
            SpendListener listener) {
        super(redemption, deadlines, deadlineNanos, listener);
        this.server = server;
        this.number = number;
    }

    /** Takes the epoch marker read on the same connection after STORED, null when there is none; once, on that thread. */
    public void shown(byte @Nullable [] marker) {
        server.verify(this, marker);
    }

    /** Writes the command into a buffer with at least {@link MemcachedEncoding#longestAdd} bytes. */
    public void write(MemcachedEncoding encoding, ByteBuffer into) {
        encoding.add(into, redemption(), server.valuePrefix(), number);
    }

    /** Returns the value that the command stores, which identifies this add. */
    byte[] value() {
        return MemcachedEncoding.value(server.valuePrefix(), number);
    }

    /** Returns the maximum time that a spend waits for the server. */
    public long timeoutNanos() {
        return server.deadlineNanos();
    }

    @Override
    protected MemcachedServer server() {
        return server;
    }
}
