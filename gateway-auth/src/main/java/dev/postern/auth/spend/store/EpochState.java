package dev.postern.auth.spend.store;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Epoch state of a ledger: the last known epoch marker of each server, the servers that are left out, and the epoch computed from both.
 *
 * <p>A server that lost its memory has another marker. Then the epoch changes (roll), or tokens that may have been spent before are UNKNOWN
 * (refuse), or nothing changes (accept). A server that is only unreachable keeps its last marker, so that challenges stay. Where several
 * servers store each spend, an unreachable server may be left out. This also changes the epoch, so that all gateways that accept a token of
 * an epoch ask the same servers, regardless of which servers each gateway can reach. Thread-safe.
 */
public final class EpochState {

    private static final int EPOCH_LENGTH = 16;
    private static final byte[] NONE = {};

    /** Byte for a server that is left out: larger than the length of any marker, so that it cannot be confused with a marker. */
    private static final byte OUT = (byte) 255;

    private final WhenForgotten whenForgotten;
    private final InstantSource clock;
    private final byte[][] markers;
    private final long[] doubtUntil;
    private final Instant[] forgotAt;
    private final AtomicLong latestUntil = new AtomicLong(Long.MIN_VALUE);
    private final boolean[] leftOut;
    private volatile View view;

    /**
     * View of the state at one time. The arrays must not be changed.
     *
     * @param leftOut true for each server that is not asked about tokens of this epoch
     */
    public record View(byte[] epoch, boolean[] leftOut) {}

    public EpochState(int servers, WhenForgotten whenForgotten, InstantSource clock) {
        this.clock = clock;
        this.whenForgotten = whenForgotten;
        this.markers = new byte[servers][];
        Arrays.fill(markers, NONE);
        this.doubtUntil = new long[servers];
        Arrays.fill(doubtUntil, Long.MIN_VALUE);
        this.forgotAt = new Instant[servers];
        Arrays.fill(forgotAt, Instant.MIN);
        this.leftOut = new boolean[servers];
        this.view = newView();
    }

    /** Returns the current epoch. The caller must not change the array. */
    public byte[] epoch() {
        return view.epoch;
    }

    public View view() {
        return view;
    }

    /** Leaves the server out, or includes the server again. Returns whether this is a change. */
    public synchronized boolean leaveOut(int server, boolean out) {
        boolean changed = leftOut[server] != out;
        if (changed) {
            leftOut[server] = out;
            view = newView();
        }
        return changed;
    }

    /** Takes a marker that another gateway has read. Ignored if a marker of this server is known already. */
    public synchronized void heard(int server, byte[] marker) {
        if (markers[server].length == 0) {
            markers[server] = marker;
            view = newView();
        }
    }

    /** Returns the last known marker of the server, empty when there is none. The caller must not change the array. */
    public synchronized byte[] marker(int server) {
        return markers[server];
    }

    /** Takes the marker that a server returned. Returns whether the server had another marker before, so that its memory is lost. */
    public boolean observed(int server, byte[] marker) {
        return observed(Map.of(server, marker));
    }

    /**
     * Takes markers that were read together. The epoch changes at most once: a challenge with an epoch between two of the markers would lead
     * to a token that is never accepted.
     *
     * @param observed marker of each server
     * @return whether a server had another marker before, so that its memory is lost
     */
    public synchronized boolean observed(Map<Integer, byte[]> observed) {
        boolean forgot = false;
        for (Map.Entry<Integer, byte[]> entry : observed.entrySet()) {
            forgot |= replaced(entry.getKey(), entry.getValue());
        }
        view = newView();
        return forgot;
    }

    private boolean replaced(int server, byte[] marker) {
        byte[] previous = markers[server];
        markers[server] = marker;
        boolean forgot = previous.length > 0 && !Arrays.equals(previous, marker);
        if (forgot) {
            doubtUntil[server] = latestUntil.get();
            forgotAt[server] = clock.instant();
        }
        return forgot;
    }

    /**
     * Returns whether {@code STORED} by a server with the given marker means FRESH.
     *
     * @param marker the marker of the server when it stored the key, null when unknown
     * @param epoch the epoch in which the token was issued
     */
    public boolean isFresh(int server, byte @Nullable [] marker, Redemption redemption, byte[] epoch) {
        Instant keyBegan = redemption.keyBegan();
        return keyBegan == null
                ? isFresh(server, marker, epoch, redemption.acceptedUntil())
                : isEndlessFresh(server, marker, keyBegan);
    }

    synchronized boolean isFresh(int server, byte @Nullable [] marker, byte[] tokenEpoch, Instant acceptedUntil) {
        if (marker == null || marker.length == 0 || !Arrays.equals(markers[server], marker)) {
            return false;
        }
        return switch (whenForgotten) {
            case ROLL -> Arrays.equals(tokenEpoch, view.epoch);
            case REFUSE -> acceptedUntil.getEpochSecond() > doubtUntil[server];
            case ACCEPT -> true;
        };
    }

    /** Returns the same for a token that carries no epoch, under a token key that is valid since {@code keyBegan}. */
    synchronized boolean isEndlessFresh(int server, byte @Nullable [] marker, Instant keyBegan) {
        if (marker == null || marker.length == 0 || !Arrays.equals(markers[server], marker)) {
            return false;
        }
        return whenForgotten == WhenForgotten.ACCEPT || keyBegan.compareTo(forgotAt[server]) >= 0;
    }

    /** Records the end of a token that is being spent. If its server loses its memory, results stay UNKNOWN until the latest such end. */
    public void asked(Instant acceptedUntil) {
        if (whenForgotten == WhenForgotten.REFUSE && acceptedUntil.getEpochSecond() > latestUntil.get()) {
            latestUntil.accumulateAndGet(acceptedUntil.getEpochSecond(), Math::max);
        }
    }

    private View newView() {
        return new View(combined(), leftOut.clone());
    }

    private byte[] combined() {
        if (whenForgotten != WhenForgotten.ROLL) {
            return NONE;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < markers.length; i++) {
                digest.update((byte) markers[i].length);
                digest.update(markers[i]);
                if (leftOut[i]) {
                    digest.update(OUT);
                }
            }
            return Arrays.copyOf(digest.digest(), EPOCH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
