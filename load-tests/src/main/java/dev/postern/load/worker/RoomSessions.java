package dev.postern.load.worker;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.RoomKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Room sessions of a benchmark: sessions that wait behind one with the only pass, sessions that all have a pass, or
 * requests without cookie under a base rate that is never used up.
 *
 * <p>No pass and no place ends by itself during the measurement. With waiting or admitted sessions, the first visit
 * uses up the base rate.
 *
 * @param size number of sessions besides the one of the first pass
 */
record RoomSessions(State state, int size) {
    /** Longer than a run takes. */
    private static final long LONG = 3_600_000_000L;

    private static final long SEED = 9578;
    private static final String KEY = "0123456789abcdef";
    /** A base rate of one visit each microsecond, with a burst of one second. */
    private static final Gcra FREE = Gcra.of(1_000_000, 1_000_000, 1_000_000);

    private static final Gcra USED_UP = Gcra.of(1, LONG, 0);

    /** State of the sessions. */
    enum State {
        WAITING,
        ADMITTED,
        BASE
    }

    /** Reads {@code waiting SIZE}, {@code admitted SIZE} or {@code base SIZE}, the first words of a question. */
    static RoomSessions of(String... words) {
        return new RoomSessions(State.valueOf(words[0].toUpperCase(Locale.ROOT)), Integer.parseInt(words[1]));
    }

    RoomKey key() {
        int active = state == State.ADMITTED ? size + 1 : 1;
        Gcra base = state == State.BASE ? FREE : USED_UP;
        String name = state.name().toLowerCase(Locale.ROOT) + size;
        return new RoomKey(name, name, new RoomRules(active, LONG, LONG, LONG, size, base));
    }

    /**
     * Returns the visit that takes the first pass after the base rate is used up, or the first visit if the base rate
     * is never used up.
     */
    AdmissionRequest first() {
        return enter(size);
    }

    /** Returns the kind of decision that the first visit receives in the end. */
    Kind firstKind() {
        return state == State.BASE ? Kind.BASE : Kind.ADMITTED;
    }

    AdmissionRequest enter(int session) {
        return visit(Intent.ENTER, session, Claim.NONE);
    }

    /**
     * Returns visits to repeat, with all sessions equally likely. Each visit has a session name and a claim on this
     * room, as if read from a cookie. A visit that passes at the base rate has no cookie and a new session each time.
     *
     * @param epoch of the room
     */
    List<AdmissionRequest> again(int visits, long epoch) {
        Random random = new Random(SEED + size);
        List<AdmissionRequest> made = new ArrayList<>(visits);
        for (int i = 0; i < visits; i++) {
            made.add(again(random, epoch));
        }
        return made;
    }

    private AdmissionRequest again(Random random, long epoch) {
        if (state == State.BASE) {
            return enter(random.nextInt(Integer.MAX_VALUE));
        }
        int session = random.nextInt(size);
        return state == State.WAITING
                ? visit(Intent.POLL, session, new Claim(epoch, epoch + session, epoch + session, 0, 0))
                : visit(Intent.RENEW, session, new Claim(epoch, 0, 0, epoch + LONG, epoch + LONG));
    }

    private static AdmissionRequest visit(Intent intent, int session, Claim claim) {
        return new AdmissionRequest(intent, name(session), KEY, claim, "", TenantShare.NONE);
    }

    /** Returns a session name of 12 characters, spread as if the names were random. */
    static String name(int session) {
        long spread = (session + 1) * 0x9E3779B97F4A7C15L;
        byte[] bytes =
                ByteBuffer.allocate(9).putLong(spread).put((byte) session).array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
