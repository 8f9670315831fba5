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

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    private static final long LEAST_BLOCK = 64 * 1024;
    private static final long FIRST_FRAMES = 100;
    private static final long FRAMES_A_REQUEST = 10;
    private static final long MAX_FRAMES = 1000;
    /** Covers a window of 64 KiB in messages of gRPC, the smallest of which are frames of some seven bytes. */
    private static final long LATE_A_RESET = 10_000;

    private static final long MAX_LATE = 1_000_000;
    private static final long FIRST_UPDATES = 1000;
    private static final long UPDATES_A_WRITE = 10;
    private static final long BYTES_AN_UPDATE = 512;
    private static final long MAX_UPDATES = 1_000_000;

    /**
     * Rates of actions that cost the gateway more than the peer.
     *
     * @param resets streams that the peer opens and resets
     * @param faults streams that the gateway resets because of the peer
     * @param control frames without content: SETTINGS, PING, GOAWAY and empty ones, each kind counted separately; also PUSH_PROMISE
     */
    public record Rates(Gcra resets, Gcra faults, Gcra control) {}

    private final Rates rates;
    private final int maxContinuations;
    private final Ticker ticker;
    private final long mostBlock;
    private final Map<AbuseLimit, Long> arrivals = new EnumMap<>(AbuseLimit.class);
    private long priorities = FIRST_FRAMES;
    private long unknown = FIRST_FRAMES;
    private long late = LATE_A_RESET;
    private long updates = FIRST_UPDATES;
    private long block;
    private int continuations;
    private boolean inBlock;
    private int blocks;

    /** Creates the limits of a connection to a client. */
    public static AbuseLimits of(Http2Limits limits, int fieldSection, Ticker ticker) {
        Rates rates =
                new Rates(burst(limits.maxResets()), burst(limits.maxStreamErrors()), burst(limits.maxControlFrames()));
        return new AbuseLimits(rates, limits.maxContinuations(), fieldSection, ticker);
    }

    private static Gcra burst(Rate rate) {
        return rate.gcra(rate.count() - 1);
    }

    /**
     * @param maxContinuations CONTINUATION frames of one field block at most
     * @param fieldSection bytes of a field section at most, decompressed
     * @param ticker of the event loop
     */
    public AbuseLimits(Rates rates, int maxContinuations, int fieldSection, Ticker ticker) {
        this.rates = rates;
        this.maxContinuations = maxContinuations;
        this.ticker = ticker;
        // Twice as much as is accepted, so that a section slightly too long gets a 431.
        this.mostBlock = Math.max(LEAST_BLOCK, 2L * fieldSection);
    }

    /** Counts a frame at its header. Returns the exceeded limit, or null. */
    @Nullable
    AbuseLimit frame(int type, int flags, int length) {
        return switch (type) {
            case DATA -> length == 0 && (flags & END_STREAM) == 0 ? empty() : null;
            case HEADERS -> headers(flags, length);
            case CONTINUATION -> continuation(flags, length);
            case PRIORITY -> --priorities < 0 ? AbuseLimit.PRIORITIES : null;
            case RST_STREAM -> take(AbuseLimit.RESETS, rates.resets());
            case SETTINGS -> take(AbuseLimit.SETTINGS, rates.control());
            case PING -> take(AbuseLimit.PINGS, rates.control());
            case WINDOW_UPDATE -> --updates < 0 ? AbuseLimit.WINDOW_UPDATES : null;
            case GOAWAY -> take(AbuseLimit.GOAWAYS, rates.control());
            case PUSH_PROMISE -> push(flags, length);
            default -> --unknown < 0 ? AbuseLimit.UNKNOWN_FRAMES : null;
        };
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
        return take(AbuseLimit.EMPTY_FRAMES, rates.control());
    }

    /** Counts a stream that the gateway had to reset because of the peer. */
    @Nullable
    public AbuseLimit fault() {
        return take(AbuseLimit.FAULTS, rates.faults());
    }

    /** Counts a stream that the gateway resets: what the peer has sent until then is still under way (RFC 9113 section 5.1). */
    public void reset() {
        late = Math.min(MAX_LATE, late + LATE_A_RESET);
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
