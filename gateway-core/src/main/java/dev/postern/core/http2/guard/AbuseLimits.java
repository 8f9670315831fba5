package dev.postern.core.http2.guard;

import dev.postern.core.config.Rate;
import dev.postern.core.rate.Gcra;
import io.netty.util.concurrent.Ticker;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counters of one connection for each {@link AbuseLimit}, updated per frame (RFC 9113 section 10.5). Plain object; one event loop. */
public final class AbuseLimits {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;

    private static final long LEAST_BLOCK = 64 * 1024;
    private static final long FIRST_FRAMES = 100;
    private static final long FRAMES_A_REQUEST = 10;
    private static final long MAX_FRAMES = 1000;
    /** Covers a window of 64 KiB in messages of gRPC, the smallest of which are frames of some seven bytes; a larger one has more. */
    private static final long LEAST_LATE = 10_000;

    private static final int SMALL_FRAME = 7;
    private static final long MAX_LATE = 1_000_000;
    private static final long FIRST_UPDATES = 1000;
    private static final long UPDATES_A_WRITE = 10;
    private static final long BYTES_AN_UPDATE = 512;
    private static final long MAX_UPDATES = 1_000_000;
    /** A DATA frame of this size earns a PING although the peer's window cut it: peers with small windows do not earn by the byte. */
    private static final int LARGE_FRAME = 1024;

    private static final long MAX_PINGS = 100;
    private static final long MAX_EMPTY = 1000;
    private static final long MAX_RESETS = 10_000;

    /** Largest frame that a peer may send (RFC 9113 section 4.2), as none is permitted more. */
    private static final long FRAME_SIZE = 16_384;

    /**
     * Rates of actions that cost the gateway more than the peer.
     *
     * @param resets streams that the peer opens and resets
     * @param faults streams that the gateway resets because of the peer
     * @param control frames without content: SETTINGS, PING, GOAWAY and empty ones, each kind counted separately; also PUSH_PROMISE
     */
    public record Rates(Gcra resets, Gcra faults, Gcra control) {}

    private final Rates rates;
    private final EarnedBudget resets;
    private final EarnedBudget faults;
    private final EarnedBudget pings;
    private final EarnedBudget empties;
    private final long maxContinuations;
    private final Ticker ticker;
    private final long mostBlock;
    private final long lateAReset;
    private final Map<AbuseLimit, Long> arrivals = new EnumMap<>(AbuseLimit.class);
    private long priorities = FIRST_FRAMES;
    private long unknown = FIRST_FRAMES;
    private long late;
    private long updates = FIRST_UPDATES;
    private int awaitedPings;
    private int awaitedSettings;
    private long block;
    private int continuations;
    private boolean inBlock;
    private int blocks;

    /** Creates the limits of a connection to a client. */
    public static AbuseLimits of(Http2Limits limits, int fieldSection, Ticker ticker) {
        Rates rates =
                new Rates(burst(limits.maxResets()), burst(limits.maxStreamErrors()), burst(limits.maxControlFrames()));
        return new AbuseLimits(
                rates,
                limits.maxContinuations(),
                fieldSection,
                limits.streamWindow().bytes(),
                ticker);
    }

    private static Gcra burst(Rate rate) {
        return rate.gcra(rate.count() - 1);
    }

    /**
     * @param maxContinuations CONTINUATION frames of one field block at most
     *     if those of a field section fit into fewer
     * @param fieldSection bytes of a field section at most, decompressed
     * @param window bytes of a stream that the peer may send ahead
     * @param ticker of the event loop
     */
    public AbuseLimits(Rates rates, int maxContinuations, int fieldSection, long window, Ticker ticker) {
        this.rates = rates;
        this.resets = new EarnedBudget(rates.resets(), MAX_RESETS, ticker);
        this.faults = new EarnedBudget(rates.faults(), MAX_RESETS, ticker);
        this.pings = new EarnedBudget(rates.control(), MAX_PINGS, ticker);
        this.empties = new EarnedBudget(rates.control(), MAX_EMPTY, ticker);
        this.ticker = ticker;
        // Twice as much as is accepted, so that a section slightly too long gets a 431.
        this.mostBlock = Math.max(LEAST_BLOCK, 2L * fieldSection);
        this.maxContinuations = Math.max(maxContinuations, mostBlock / FRAME_SIZE);
        this.lateAReset = Math.max(LEAST_LATE, window / SMALL_FRAME);
        this.late = lateAReset;
    }

    /** Counts a frame at its header. Returns the exceeded limit, or null. */
    @Nullable
    AbuseLimit frame(int type, int flags, int length) {
        return switch (type) {
            case DATA -> data(flags, length);
            case HEADERS -> headers(flags, length);
            case CONTINUATION -> continuation(flags, length);
            case PRIORITY -> --priorities < 0 ? AbuseLimit.PRIORITIES : null;
            case RST_STREAM -> null; // depends on the stream: cancelled(), resetByPeer()
            case SETTINGS -> settings((flags & ACK) != 0);
            case PING -> ping((flags & ACK) != 0);
            case WINDOW_UPDATE -> --updates < 0 ? AbuseLimit.WINDOW_UPDATES : null;
            case GOAWAY -> take(AbuseLimit.GOAWAYS, rates.control());
            case PUSH_PROMISE -> push(flags, length);
            default -> --unknown < 0 ? AbuseLimit.UNKNOWN_FRAMES : null;
        };
    }

    private @Nullable AbuseLimit data(int flags, int length) {
        if (length == 0) {
            return (flags & END_STREAM) == 0 ? empty() : null;
        }
        if ((flags & PADDED) == 0) { // which can be empty too
            empties.earn(1);
        }
        return null;
    }

    private @Nullable AbuseLimit headers(int flags, int length) {
        priorities = Math.min(MAX_FRAMES, priorities + FRAMES_A_REQUEST);
        unknown = Math.min(MAX_FRAMES, unknown + FRAMES_A_REQUEST);
        begin(flags, length);
        return length == 0 ? empty() : null;
    }

    /** Counts a PUSH_PROMISE: a whole one ends the connection, unless it is for a stream that has ended; a part of one keeps it waiting. */
    private @Nullable AbuseLimit push(int flags, int length) {
        begin(flags, length);
        return take(AbuseLimit.PUSHES, rates.control());
    }

    /** Counts SETTINGS of the peer, or its acknowledgement of ours, which is free. */
    private @Nullable AbuseLimit settings(boolean ack) {
        if (ack && awaitedSettings > 0) {
            awaitedSettings--;
            return null;
        }
        return take(AbuseLimit.SETTINGS, rates.control());
    }

    /**
     * Counts a PING of the peer, or its acknowledgement of ours, which is free. Peers measure the connection by a PING for the data that
     * they receive (gRPC does so for each DATA frame): what was sent to them has earned those.
     */
    private @Nullable AbuseLimit ping(boolean ack) {
        if (ack && awaitedPings > 0) {
            awaitedPings--;
            return null;
        }
        if (ack) {
            return take(AbuseLimit.PINGS, rates.control()); // of nothing
        }
        return pings.take() ? null : AbuseLimit.PINGS;
    }

    private void begin(int flags, int length) {
        continuations = 0;
        blocks++;
        block = length;
        inBlock = (flags & END_HEADERS) == 0;
    }

    private @Nullable AbuseLimit continuation(int flags, int length) {
        inBlock = (flags & END_HEADERS) == 0;
        block += length;
        if (++continuations > maxContinuations) {
            return AbuseLimit.CONTINUATIONS;
        }
        if (block > mostBlock) {
            return AbuseLimit.FIELD_BLOCK;
        }
        return length == 0 && inBlock ? empty() : null;
    }

    /** Counts a frame that is empty and ends nothing. */
    @Nullable
    public AbuseLimit empty() {
        return empties.take() ? null : AbuseLimit.EMPTY_FRAMES;
    }

    /** Counts a stream that the gateway had to reset because of the peer. */
    @Nullable
    public AbuseLimit fault() {
        return faults.take() ? null : AbuseLimit.FAULTS;
    }

    /** Counts the reset of a stream by the client. */
    public @Nullable AbuseLimit cancelled(Cancellation cancellation) {
        return !cancellation.counts() || resets.take() ? null : AbuseLimit.RESETS;
    }

    /** Counts RST_STREAM of the peer for a stream without an open exchange, or of a server. */
    public @Nullable AbuseLimit resetByPeer() {
        return resets.take() ? null : AbuseLimit.RESETS;
    }

    /** Counts an exchange that an upstream completed: the client may reset another one, and err in one. */
    public void completed() {
        resets.earn(1);
        faults.earn(1);
    }

    /** Counts a request that was sent: the server may reset its stream. */
    public void requested() {
        resets.earn(1);
    }

    /**
     * Counts a stream that the gateway resets: what the peer has sent until then is still under way (RFC 9113 section 5.1).
     *
     * @param window bytes of the stream's window at most
     */
    public void reset(int window) {
        long more = Math.max(lateAReset, window / SMALL_FRAME);
        late = Math.min(Math.max(MAX_LATE, more), late + more);
    }

    /** Counts a frame that is ignored because its stream has ended. */
    @Nullable
    public AbuseLimit late() {
        return --late < 0 ? AbuseLimit.LATE_FRAMES : null;
    }

    /** Counts body bytes sent, for which the peer may send WINDOW_UPDATE frames. */
    public void sent(int bytes) {
        updates = Math.min(MAX_UPDATES, updates + Math.max(UPDATES_A_WRITE, bytes / BYTES_AN_UPDATE));
    }

    /** Counts a HEADERS frame sent. */
    public void headersSent() {
        pings.earn(1);
    }

    /**
     * Counts DATA frames sent.
     *
     * @param bytes of the data, in so many {@code frames}
     * @param all whether that was all that was ready, rather than what the peer's windows allowed of it
     */
    public void dataSent(int bytes, int frames, boolean all) {
        if (all || bytes >= LARGE_FRAME) {
            pings.earn(frames);
        }
    }

    /** Counts a PING sent that is no acknowledgement. */
    public void pingSent() {
        awaitedPings++;
    }

    /** Counts a SETTINGS frame sent that is no acknowledgement. */
    public void settingsSent() {
        awaitedSettings++;
    }

    /** Returns whether frames of that type carry parts of field blocks. */
    static boolean ofBlock(int type) {
        return type == HEADERS || type == CONTINUATION || type == PUSH_PROMISE;
    }

    /** Returns whether a field block has begun whose last frame has not. */
    boolean inBlock() {
        return inBlock;
    }

    /** Returns the number of field blocks that have begun. */
    int blocks() {
        return blocks;
    }

    private @Nullable AbuseLimit take(AbuseLimit limit, Gcra pace) {
        long now = ticker.nanoTime() / 1000;
        long arrival = arrivals.getOrDefault(limit, 0L);
        if (!pace.allows(arrival, now)) {
            return limit;
        }
        arrivals.put(limit, pace.next(arrival, now));
        return null;
    }
}
