package dev.postern.auth.spend.store;

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
 * The last known mark of each server, which of them are left out, and the epoch that all of this makes together.
 *
 * <p>A server that lost its memory has another mark; then the epoch changes (roll), or tokens that may have been spent before are UNKNOWN
 * (refuse), or nothing happens (accept). A server that is merely away keeps its last mark, so that challenges stay. Where several servers
 * remember each spend, one that is away may be left out: then too the epoch changes, so that all who accept a token of that epoch ask the
 * same servers about it, whatever each of them can reach. Thread-safe.
 */
public final class EpochState {

    private static final int EPOCH_LENGTH = 16;
    private static final byte[] NONE = {};

    /** Longer than any mark, so that no mark can be taken for it. */
    private static final byte OUT = (byte) 255;

    private final WhenForgotten whenForgotten;
    private final InstantSource clock;
    private final byte[][] marks;
    private final long[] doubtUntil;
    private final Instant[] forgotAt;
    private final AtomicLong latestUntil = new AtomicLong(Long.MIN_VALUE);
    private final boolean[] leftOut;
    private volatile View view;

    /**
     * What holds at one moment; neither array is to be changed.
     *
     * @param leftOut servers that decide nothing about tokens of this epoch
     */
    public record View(byte[] epoch, boolean[] leftOut) {}

    public EpochState(int servers, WhenForgotten whenForgotten, InstantSource clock) {
        this.clock = clock;
        this.whenForgotten = whenForgotten;
        this.marks = new byte[servers][];
        Arrays.fill(marks, NONE);
        this.doubtUntil = new long[servers];
        Arrays.fill(doubtUntil, Long.MIN_VALUE);
        this.forgotAt = new Instant[servers];
        Arrays.fill(forgotAt, Instant.MIN);
        this.leftOut = new boolean[servers];
        this.view = look();
    }

    /** Not to be changed by the caller. */
    public byte[] epoch() {
        return view.epoch;
    }

    public View view() {
        return view;
    }

    /** Leaves that server out, or lets it in again; true when that is a change. */
    public synchronized boolean leaveOut(int server, boolean out) {
        boolean changed = leftOut[server] != out;
        if (changed) {
            leftOut[server] = out;
            view = look();
        }
        return changed;
    }

    /** Somebody else has seen that mark; good as long as we have seen none ourselves. */
    public synchronized void heard(int server, byte[] mark) {
        if (marks[server].length == 0) {
            marks[server] = mark;
            view = look();
        }
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
        view = look();
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
            case ROLL -> Arrays.equals(tokenEpoch, view.epoch);
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

    private View look() {
        return new View(combined(), leftOut.clone());
    }

    private byte[] combined() {
        if (whenForgotten != WhenForgotten.ROLL) {
            return NONE;
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < marks.length; i++) {
                digest.update((byte) marks[i].length);
                digest.update(marks[i]);
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
