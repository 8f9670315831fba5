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
    void tend(MemcachedConnection pipe, long now, boolean soon) {
        if (pending && now - startedAt > TIMEOUT_NANOS) {
            silent = true;
            pipe.contact().mark(null);
            start(pipe);
        } else if (!pending && (soon || now - startedAt > EVERY_NANOS || outdated(pipe))) {
            start(pipe);
        }
    }

    /** Whether another connection to the server has seen another mark since. */
    private boolean outdated(MemcachedConnection pipe) {
        byte[] mark = pipe.contact().mark();
        return mark != null && !Arrays.equals(mark, tools.marks().mark(server.index()));
    }

    void start(MemcachedConnection pipe) {
        long now = tools.tender().nanos();
        startedAt = now;
        long asked = System.nanoTime();
        long deadline = asked + TIMEOUT_NANOS;
        if (server.direct()) {
            pipe.send(StatsCommand.permission(deadline, this::permitted));
            pipe.send(StatsCommand.count(deadline, evicted -> evictions = evicted));
        }
        pipe.send(new StoreCommand(
                MemcachedEncoding.addForever(key, newMark(Math.max(evictions, 0))), deadline, fate -> {}));
        pending = true;
        if (!pipe.send(
                new GetsCommand(MemcachedEncoding.gets(key), deadline, response -> responded(pipe, response, asked)))) {
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

    private void responded(MemcachedConnection pipe, GetsReply.Response response, long asked) {
        silent = false;
        switch (response.fate()) {
            case STORED -> shown(pipe, response, System.nanoTime() - asked);
            // It had no room for a mark: it has none for tokens either.
            case NOT_STORED, REFUSED -> pipe.contact().mark(null);
            case UNSENT, LOST -> {
                return;
            }
        }
        pending = false;
    }

    private void shown(MemcachedConnection pipe, GetsReply.Response response, long nanos) {
        byte[] mark = response.value();
        if (mark == null) {
            return;
        }
        if (server.direct() && evictionsIn(mark) < evictions) {
            replace(pipe, response.cas());
            return;
        }
        if (tools.marks().seen(server.index(), mark)) {
            tools.meters().event(Event.FORGOT);
            LOG.warn("memcached {} lost its memory: challenges change (epoch mark is another one)", server.name());
        }
        // After the epoch: nothing is FRESH by the new mark under the old epoch.
        boolean wasAway = pipe.contact().mark() == null;
        pipe.contact().mark(mark);
        onVerified.verified(wasAway, nanos);
    }

    private void replace(MemcachedConnection pipe, long cas) {
        pipe.contact().mark(null);
        tools.meters().event(Event.EVICTED);
        LOG.warn(
                "memcached {} evicted items, so it forgot spent tokens: run it with -M and give it more memory",
                server.name());
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        // Whoever comes first wins; everybody reads the winner's.
        pipe.send(new StoreCommand(
                MemcachedEncoding.replace(key, newMark(evictions), cas),
                deadline,
                fate -> tools.tender().later(() -> start(pipe), ROLL_PAUSE_MILLIS)));
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
