package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The last known mark of each server, and the epoch that they make together.
 *
 * <p>A server that lost its memory has another mark; then the epoch changes (roll), or tokens that may have been spent before are UNKNOWN
 * (refuse), or nothing happens (accept). A server that is merely away keeps its last mark, so that challenges stay. Thread-safe.
 */
final class Marks {

    private static final int EPOCH_LENGTH = 16;
    private static final byte[] NONE = {};

    private final WhenForgotten whenForgotten;
    private final byte[][] marks;
    private final long[] doubtUntil;
    private final Instant[] forgotAt;
    private final AtomicLong latestUntil = new AtomicLong(Long.MIN_VALUE);
    private volatile byte[] epoch;

    Marks(int servers, WhenForgotten whenForgotten) {
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
    byte[] epoch() {
        return epoch;
    }

    /** A server showed that mark; true when it is another one than before. */
    synchronized boolean seen(int server, byte[] mark) {
        byte[] before = marks[server];
        if (Arrays.equals(before, mark)) {
            return false;
        }
        marks[server] = mark;
        boolean forgot = before.length > 0;
        if (forgot) {
            doubtUntil[server] = latestUntil.get();
            forgotAt[server] = Instant.now();
        }
        epoch = combined();
        return forgot;
    }

    /** Whether {@code STORED} by a server with that mark means FRESH for a token of that epoch. */
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

    /** The same for a token that carries no epoch, under a key that is good since then. */
    synchronized boolean vouchEndless(int server, byte @Nullable [] mark, Instant keyBegan) {
        if (mark == null || mark.length == 0 || !Arrays.equals(marks[server], mark)) {
            return false;
        }
        return whenForgotten == WhenForgotten.ACCEPT || keyBegan.compareTo(forgotAt[server]) >= 0;
    }

    /** A token with that end is being spent: should its server forget, it stays in doubt until then. */
    void asked(Instant acceptedUntil) {
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
