package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.store.EpochState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for its mark once more, after STORED: only then it is certain that whoever stored had not lost its memory before. So it is
 * with servers behind a router, over connections of their own, and with servers that forget when they are full, which are also asked whether
 * they did. Whoever asks while a response is under way shares the next one. Thread-safe.
 */
final class IncarnationCheck {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MemcachedServer server;
    private final EpochState state;
    private final byte[] key;
    private List<Consumer<byte @Nullable []>> next = new ArrayList<>();
    private volatile long evictions = -1;
    private @Nullable MemcachedConnection asked;

    IncarnationCheck(MemcachedServer server, MemcachedServer.Tools tools) {
        this.server = server;
        this.state = tools.state();
        this.key = tools.keys().epoch();
    }

    MemcachedServer server() {
        return server;
    }

    /** @param listener whether the server is what it was when the token was issued; on the pipe's I/O thread, or at once */
    void vouch(Redemption redemption, Consumer<Boolean> listener) {
        ask(mark -> listener.accept(
                state.vouch(server.server().index(), mark, redemption, redemption.epoch()) && keptAll(mark)));
    }

    /** Whether nothing was evicted since the server got that mark. */
    private boolean keptAll(byte @Nullable [] mark) {
        return !server.mayEvict() || mark != null && EpochMarkerCheck.evictionsIn(mark) >= evictions;
    }

    private void ask(Consumer<byte @Nullable []> listener) {
        synchronized (this) {
            next.add(listener);
            if (asked != null && asked == server.readyPipe()) {
                return;
            }
        }
        send();
    }

    private void send() {
        List<Consumer<byte @Nullable []>> asking;
        MemcachedConnection connection = server.readyPipe();
        synchronized (this) {
            asking = next;
            next = new ArrayList<>();
            asked = asking.isEmpty() ? null : connection;
        }
        if (asking.isEmpty()) {
            return;
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        GetsCommand gets = new GetsCommand(MemcachedEncoding.gets(key), deadline, response -> {
            asking.forEach(listener -> listener.accept(response.value()));
            send();
        });
        if (connection != null && server.mayEvict()) {
            evictions = Long.MAX_VALUE; // until it says
            connection.send(StatsCommand.count(deadline, evicted -> evictions = evicted));
        }
        if (connection == null || !connection.send(gets)) {
            synchronized (this) {
                asked = null;
            }
            asking.forEach(listener -> listener.accept(null));
        }
    }
}
