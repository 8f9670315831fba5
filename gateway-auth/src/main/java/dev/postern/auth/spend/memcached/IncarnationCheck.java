package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StatsCommand;
import dev.postern.auth.spend.store.EpochState;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Incarnation check of a server: reads the epoch marker once more after STORED, which proves that the server had not lost its memory before
 * it stored. Needed for servers behind a router, over separate connections, and for servers that evict items when they are full; for the
 * latter the number of evictions is read too. Checks that are requested while a response is pending share the next one. Thread-safe.
 */
final class IncarnationCheck {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MemcachedServer server;
    private final EpochState state;
    private final byte[] key;
    private final Ticker ticker;
    private List<Consumer<byte @Nullable []>> next = new ArrayList<>();
    private volatile long evictions = -1;
    private @Nullable MemcachedConnection checked;

    IncarnationCheck(MemcachedServer server, EpochState state, MemcachedEncoding encoding, Ticker ticker) {
        this.server = server;
        this.state = state;
        this.key = encoding.epoch();
        this.ticker = ticker;
    }

    MemcachedServer server() {
        return server;
    }

    /** @param listener takes whether STORED means FRESH for this redemption; called on the connection's I/O thread, or at once */
    void verify(Redemption redemption, Consumer<Boolean> listener) {
        ask(marker -> listener.accept(
                state.isFresh(server.server().index(), marker, redemption, redemption.epoch()) && keptAll(marker)));
    }

    /** Returns whether no item was evicted since the marker was created. A smaller number than at that time hides how many were. */
    private boolean keptAll(byte @Nullable [] marker) {
        return !server.mayEvict() || marker != null && EpochMarkerCheck.evictionsIn(marker) == evictions;
    }

    private void ask(Consumer<byte @Nullable []> listener) {
        synchronized (this) {
            next.add(listener);
            if (checked != null && checked == server.readyConnection()) {
                return;
            }
        }
        send();
    }

    private void send() {
        List<Consumer<byte @Nullable []>> asking;
        MemcachedConnection connection = server.readyConnection();
        synchronized (this) {
            asking = next;
            next = new ArrayList<>();
            checked = asking.isEmpty() ? null : connection;
        }
        if (asking.isEmpty()) {
            return;
        }
        long deadline = ticker.nanoTime() + PATIENCE_NANOS;
        GetsCommand gets = new GetsCommand(MemcachedEncoding.gets(key), deadline, response -> {
            asking.forEach(listener -> listener.accept(response.value()));
            send();
        });
        if (connection != null && server.mayEvict()) {
            evictions = Long.MAX_VALUE; // until the server responds
            connection.send(StatsCommand.count(deadline, evicted -> evictions = evicted));
        }
        if (connection == null || !connection.send(gets)) {
            synchronized (this) {
                checked = null;
            }
            asking.forEach(listener -> listener.accept(null));
        }
    }
}
