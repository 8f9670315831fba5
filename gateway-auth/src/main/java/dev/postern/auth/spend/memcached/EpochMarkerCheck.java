package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.memcached.command.GetsCommand;
import dev.postern.auth.spend.memcached.command.GetsReply;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.command.StatsCommand;
import dev.postern.auth.spend.memcached.command.StoreCommand;
import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.Verified;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Check of a server's epoch marker. Reads the marker over a connection, and creates one if there is none: {@code add} followed by
 * {@code gets}, so that all gateways agree on the first marker.
 *
 * <p>The marker is 32 hex digits, a colon, and the number of items that the server had evicted when the marker was created. An item evicted
 * since may be a spent token: then the first gateway that detects the eviction replaces the marker. Started on the ledger's thread;
 * responses arrive on the connection's I/O thread.
 */
final class EpochMarkerCheck {

    private static final Logger LOG = LoggerFactory.getLogger(EpochMarkerCheck.class);
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int RANDOM_BYTES = 16;

    /** Pause before the check of a new marker: limits the rate of checks of a server that keeps evicting and so is never verified. */
    private static final long ROLL_PAUSE_MILLIS = 250;

    private final SecureRandom random = new SecureRandom();
    private final MemcachedServer.Server server;
    private final StoreResources resources;
    private final Verified onVerified;
    private final byte[] key;
    private volatile long startedAt;
    private volatile boolean pending;
    private volatile long evictions = -1;
    private volatile boolean mayEvict;
    private volatile boolean silent;

    /** Marker with a greater number of evictions than the last check has seen, or null. */
    private volatile byte @Nullable [] ahead;

    /** @param onVerified called on the connection's I/O thread */
    EpochMarkerCheck(
            MemcachedServer.Server server, StoreResources resources, MemcachedEncoding encoding, Verified onVerified) {
        this.server = server;
        this.resources = resources;
        this.onVerified = onVerified;
        this.key = encoding.epoch();
        this.startedAt = resources.scheduler().nanos() - EVERY_NANOS - 1; // the first check is due at once
    }

    /**
     * Starts a check when one is due. Marks the connection as not verified when the server does not respond to a check within 1 s.
     *
     * @param soon whether a check is due now
     */
    void maintain(MemcachedConnection connection, long now, boolean soon) {
        if (pending && now - startedAt > TIMEOUT_NANOS) {
            silent = true;
            connection.connection().marker(null);
            start(connection);
        } else if (!pending && (soon || now - startedAt > EVERY_NANOS || outdated(connection))) {
            start(connection);
        }
    }

    /** Returns whether another connection to the server has read another marker since. */
    private boolean outdated(MemcachedConnection connection) {
        byte[] marker = connection.connection().marker();
        return marker != null && !Arrays.equals(marker, resources.state().marker(server.index()));
    }

    void start(MemcachedConnection connection) {
        long now = resources.scheduler().nanos();
        startedAt = now;
        long sentAt = now();
        long deadline = sentAt + TIMEOUT_NANOS;
        if (server.direct()) {
            connection.send(StatsCommand.permission(deadline, this::permitted));
            connection.send(StatsCommand.count(deadline, evicted -> evictions = evicted));
        }
        connection.send(new StoreCommand(
                MemcachedEncoding.addForever(key, newMarker(Math.max(evictions, 0))), deadline, reply -> {}));
        pending = true;
        if (!connection.send(new GetsCommand(
                MemcachedEncoding.gets(key), deadline, response -> responded(connection, response, sentAt)))) {
            // Not connected: the next call of maintain() starts another check.
            pending = false;
            startedAt = now - EVERY_NANOS;
        }
    }

    private void permitted(boolean evicts) {
        if (evicts && !mayEvict) {
            LOG.warn(
                    "memcached {}: evictions: on (expected: off, by -M; otherwise each spend needs a second check, for evictions)",
                    server.name());
        }
        mayEvict = evicts;
    }

    /** Returns whether the server evicts items when it is full. Known before the marker is verified. */
    boolean mayEvict() {
        return mayEvict;
    }

    /** Returns why the marker is not verified, as a text for the operator; empty while a check is in progress. */
    String trouble() {
        return silent ? ": no response for 1 s" : "";
    }

    private void responded(MemcachedConnection connection, GetsReply.Response response, long sentAt) {
        silent = false;
        switch (response.reply()) {
            case STORED -> shown(connection, response, now() - sentAt);
            // A server without memory for a marker has none for tokens either.
            case NOT_STORED, REFUSED -> connection.connection().marker(null);
            case UNSENT, LOST -> {
                return;
            }
        }
        pending = false;
    }

    private void shown(MemcachedConnection connection, GetsReply.Response response, long nanos) {
        byte[] marker = response.value();
        if (marker == null) {
            return;
        }
        if (server.direct() && (evictionsIn(marker) < evictions || countsAnew(marker))) {
            replace(connection, response.cas());
            return;
        }
        if (resources.state().observed(server.index(), marker)) {
            resources.meters().event(Event.FORGOT);
            LOG.warn("memcached {} lost its memory: challenges change (new epoch marker)", server.name());
        }
        // After the change of the epoch: no token is FRESH by the new marker under the old epoch.
        boolean wasAway = connection.connection().marker() == null;
        connection.connection().marker(marker);
        onVerified.verified(wasAway, nanos);
    }

    /**
     * Returns whether the server counts its evictions anew ({@code stats reset}): two checks have seen fewer than when the marker was created.
     * One may have asked for the number before another gateway created the marker.
     */
    private boolean countsAnew(byte[] marker) {
        boolean fewer = evictions >= 0 && evictions < evictionsIn(marker);
        boolean again = fewer && Arrays.equals(marker, ahead);
        ahead = fewer ? marker : null;
        return again;
    }

    private void replace(MemcachedConnection connection, long cas) {
        connection.connection().marker(null);
        resources.meters().event(Event.EVICTED);
        LOG.warn(
                "memcached {} evicted items or counts them anew, so it may have forgotten spent tokens: run it with -M and give it more memory",
                server.name());
        long deadline = now() + TIMEOUT_NANOS;
        // The first cas wins; all gateways then read the same marker.
        connection.send(new StoreCommand(
                MemcachedEncoding.replace(key, newMarker(evictions), cas),
                deadline,
                reply -> resources.scheduler().later(() -> start(connection), ROLL_PAUSE_MILLIS)));
    }

    private long now() {
        return resources.scheduler().ticker().nanoTime();
    }

    private byte[] newMarker(long evicted) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return (HexFormat.of().formatHex(bytes) + ":" + evicted).getBytes(US_ASCII);
    }

    /** Returns the number of items that the server had evicted when the marker was created; -1 when the marker has no number. */
    static long evictionsIn(byte[] marker) {
        String text = new String(marker, US_ASCII);
        try {
            return Long.parseLong(text.substring(text.indexOf(':') + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
