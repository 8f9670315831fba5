package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.Verified;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a server's mark over its pipe, and gives it one when it has none: {@code add} and then {@code gets}, so that all gateways agree on
 * whose came first.
 *
 * <p>The mark is 32 hex digits, a colon, and the number of items that the server had evicted when it was made. An item evicted since is a
 * token forgotten: then whoever sees it first replaces the mark. Started on the ledger's thread, answered on the pipe's I/O thread.
 */
final class EpochMarkerCheck {

    private static final Logger LOG = LoggerFactory.getLogger(EpochMarkerCheck.class);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int RANDOM_BYTES = 16;

    /** A server that goes on evicting is never verified; it shall not be asked all the time either. */
    private static final long ROLL_PAUSE_MILLIS = 250;

    private final SecureRandom random = new SecureRandom();
    private final MemcachedServer.Server server;
    private final MemcachedServer.Tools tools;
    private final Verified onVerified;
    private final byte[] key;
    private volatile long startedAt;
    private volatile boolean pending;
    private volatile long evictions = -1;
    private volatile boolean mayEvict;
    private volatile boolean silent;

    /** @param onVerified on the pipe's I/O thread */
    EpochMarkerCheck(MemcachedServer.Server server, MemcachedServer.Tools tools, Verified onVerified) {
        this.server = server;
        this.tools = tools;
        this.onVerified = onVerified;
        this.key = tools.keys().epoch();
    }

    /**
     * Checks when it is time, and takes back what the pipe's server showed when it has stopped answering.
     *
     * @param soon whether it is time now
     */
    void tend(MemcachedConnection connection, long now, boolean soon) {
        if (pending && now - startedAt > TIMEOUT_NANOS) {
            silent = true;
            connection.connection().mark(null);
            start(connection);
        } else if (!pending && (soon || now - startedAt > EVERY_NANOS || outdated(connection))) {
            start(connection);
        }
    }

    /** Whether another connection to the server has seen another mark since. */
    private boolean outdated(MemcachedConnection connection) {
        byte[] mark = connection.connection().mark();
        return mark != null && !Arrays.equals(mark, tools.state().mark(server.index()));
    }

    void start(MemcachedConnection connection) {
        long now = tools.scheduler().nanos();
        startedAt = now;
        long asked = System.nanoTime();
        long deadline = asked + TIMEOUT_NANOS;
        if (server.direct()) {
            connection.send(StatsCommand.permission(deadline, this::permitted));
            connection.send(StatsCommand.count(deadline, evicted -> evictions = evicted));
        }
        connection.send(new StoreCommand(
                MemcachedEncoding.addForever(key, newMark(Math.max(evictions, 0))), deadline, reply -> {}));
        pending = true;
        if (!connection.send(new GetsCommand(
                MemcachedEncoding.gets(key), deadline, response -> responded(connection, response, asked)))) {
            // Not connected yet, or no longer: again when it is tended next.
            pending = false;
            startedAt = now - EVERY_NANOS;
        }
    }

    private void permitted(boolean evicts) {
        if (evicts && !mayEvict) {
            LOG.warn(
                    "memcached {}: evictions: on (expected: off, by -M; else each spend has to be asked twice, so that none is forgotten unseen)",
                    server.name());
        }
        mayEvict = evicts;
    }

    /** Whether the server forgets spends when it is full. Known before its mark is. */
    boolean mayEvict() {
        return mayEvict;
    }

    /** Why the mark is not verified, for people; empty where it soon will be. */
    String trouble() {
        return silent ? ": no response for 1 s" : "";
    }

    private void responded(MemcachedConnection connection, GetsReply.Response response, long asked) {
        silent = false;
        switch (response.reply()) {
            case STORED -> shown(connection, response, System.nanoTime() - asked);
            // It had no room for a mark: it has none for tokens either.
            case NOT_STORED, REFUSED -> connection.connection().mark(null);
            case UNSENT, LOST -> {
                return;
            }
        }
        pending = false;
    }

    private void shown(MemcachedConnection connection, GetsReply.Response response, long nanos) {
        byte[] mark = response.value();
        if (mark == null) {
            return;
        }
        if (server.direct() && evictionsIn(mark) < evictions) {
            replace(connection, response.cas());
            return;
        }
        if (tools.state().seen(server.index(), mark)) {
            tools.meters().event(Event.FORGOT);
            LOG.warn(
                    "memcached {} lost its memory: challenges change (the epoch marker is another one)", server.name());
        }
        // After the epoch: nothing is FRESH by the new mark under the old epoch.
        boolean wasAway = connection.connection().mark() == null;
        connection.connection().mark(mark);
        onVerified.verified(wasAway, nanos);
    }

    private void replace(MemcachedConnection connection, long cas) {
        connection.connection().mark(null);
        tools.meters().event(Event.EVICTED);
        LOG.warn(
                "memcached {} evicted items, so it forgot spent tokens: run it with -M and give it more memory",
                server.name());
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        // Whoever comes first wins; everybody reads the winner's.
        connection.send(new StoreCommand(
                MemcachedEncoding.replace(key, newMark(evictions), cas),
                deadline,
                reply -> tools.scheduler().later(() -> start(connection), ROLL_PAUSE_MILLIS)));
    }

    private byte[] newMark(long evicted) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return (HexFormat.of().formatHex(bytes) + ":" + evicted).getBytes(US_ASCII);
    }

    /** How many items the server had evicted when it got that mark; -1 when the mark doesn't tell. */
    static long evictionsIn(byte[] mark) {
        String text = new String(mark, US_ASCII);
        try {
            return Long.parseLong(text.substring(text.indexOf(':') + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
