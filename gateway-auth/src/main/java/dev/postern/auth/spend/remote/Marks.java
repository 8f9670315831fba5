package dev.postern.auth.spend.remote;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The last known mark of each server, and the epoch that they make together.
 *
 * <p>A server that lost its memory has another mark; then the epoch changes (roll), or tokens that may have been spent before are UNKNOWN
 * (refuse), or nothing happens (accept). A server that is merely away keeps its last mark, so that challenges stay. Thread-safe.
 */
public final class Marks {

    private static final int EPOCH_LENGTH = 16;
    private static final byte[] NONE = {};

    private final WhenForgotten whenForgotten;
    private final InstantSource clock;
    private final byte[][] marks;
    private final long[] doubtUntil;
    private final Instant[] forgotAt;
    private final AtomicLong latestUntil = new AtomicLong(Long.MIN_VALUE);
    private volatile byte[] epoch;

    public Marks(int servers, WhenForgotten whenForgotten, InstantSource clock) {
        this.clock = clock;
        this.whenForgotten = whenForgotten;
        this.marks = new byte[servers][];
        Arrays.fill(marks, NONE);
        this.doubtUntil = new long[servers];
        Arrays.fill(doubtUntil, Long.MIN_VALUE);
        this.forgotAt = new Instant[servers];
        Arrays.fill(forgotAt, Instant.MIN);
        this.epoch = combined();
    }

    /** Not to be changed by the caller. */
    public byte[] epoch() {
        return epoch;
    }

    /** The last known mark of that server, empty when none is; not to be changed by the caller. */
    public synchronized byte[] mark(int server) {
        return marks[server];
    }

    /** A server showed that mark; true when it is another one than before. */
    public synchronized boolean seen(int server, byte[] mark) {
        byte[] before = marks[server];
        if (Arrays.equals(before, mark)) {
            return false;
        }
        marks[server] = mark;
        boolean forgot = before.length > 0;
        if (forgot) {
            doubtUntil[server] = latestUntil.get();
            forgotAt[server] = clock.instant();
        }
        epoch = combined();
        return forgot;
    }

    /**
     * Whether {@code STORED} by a server with that mark means FRESH.
     *
     * @param mark that the server had when it stored, null when nobody had looked
     * @param epoch that the token was issued in
     */
    public boolean vouch(int server, byte @Nullable [] mark, Redemption redemption, byte[] epoch) {
        Instant keyBegan = redemption.keyBegan();
        return keyBegan == null
                ? vouch(server, mark, epoch, redemption.acceptedUntil())
                : vouchEndless(server, mark, keyBegan);
    }

    synchronized boolean vouch(int server, byte @Nullable [] mark, byte[] tokenEpoch, Instant acceptedUntil) {
        if (mark == null || mark.length == 0 || !Arrays.equals(marks[server], mark)) {
            return false;
        }
        return switch (whenForgotten) {
            case ROLL -> Arrays.equals(tokenEpoch, epoch);
            case REFUSE -> acceptedUntil.getEpochSecond() > doubtUntil[server];
            case ACCEPT -> true;
        };
    }

    /** For a token that carries no epoch, under a key that is good since then. */
    synchronized boolean vouchEndless(int server, byte @Nullable [] mark, Instant keyBegan) {
        if (mark == null || mark.length == 0 || !Arrays.equals(marks[server], mark)) {
            return false;
        }
        return whenForgotten == WhenForgotten.ACCEPT || keyBegan.compareTo(forgotAt[server]) >= 0;
    }

    /** A token with that end is being spent: should its server forget, it stays in doubt until then. */
    public void asked(Instant acceptedUntil) {
        if (whenForgotten == WhenForgotten.REFUSE && acceptedUntil.getEpochSecond() > latestUntil.get()) {
            latestUntil.accumulateAndGet(acceptedUntil.getEpochSecond(), Math::max);
        }
    }

    private byte[] combined() {
        if (whenForgotten != WhenForgotten.ROLL) {
            return NONE;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] mark : marks) {
                digest.update((byte) mark.length);
                digest.update(mark);
            }
            return Arrays.copyOf(digest.digest(), EPOCH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
