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
 * Room sessions of a benchmark: sessions that wait behind one with the only pass, or sessions that all have a pass.
 *
 * <p>No pass ends by itself during the measurement, nor does the place of a waiting session: its absence is so long
 * that no request after the first is recorded. Recorded sessions wait with an absence so short that the room records
 * each of their requests; their queue has to be filled before each turn. The first visit uses up the base rate.
 *
 * @param size number of sessions besides the one of the first pass
 */
record RoomSessions(State state, int size) {
    /** Longer than a run takes. */
    private static final long LONG = 3_600_000_000L;

    /** Absence of recorded sessions, in microseconds for each of them: 16 cycles at 333,000 requests per second. */
    private static final long ABSENCE = 48;

    /** Step between two sessions of a cycle, so that neighbours in the queue do not send one after the other. */
    private static final int STRIDE = 7_919;

    private static final long SEED = 9578;
    private static final String KEY = "0123456789abcdef";
    private static final Gcra BASE = Gcra.of(1, LONG, 0);

    /** State of the sessions. */
    enum State {
        WAITING,
        RECORDED,
        ADMITTED
    }

    /** Reads a state in lower case and a size, the first words of a question. */
    static RoomSessions of(String... words) {
        return new RoomSessions(State.valueOf(words[0].toUpperCase(Locale.ROOT)), Integer.parseInt(words[1]));
    }

    RoomKey key() {
        int active = state == State.ADMITTED ? size + 1 : 1;
        long absence = state == State.RECORDED ? size * ABSENCE : 100 * LONG;
        String name = state.name().toLowerCase(Locale.ROOT) + size;
        return new RoomKey(name, name, new RoomRules(active, LONG, LONG, absence, size, BASE));
    }

    /** Returns the visit that takes the first pass after the base rate is used up. */
    AdmissionRequest first() {
        return enter(size);
    }

    /** Returns the kind of the decisions on all other visits. */
    Kind kind() {
        return state == State.ADMITTED ? Kind.ADMITTED : Kind.WAITING;
    }

    AdmissionRequest enter(int session) {
        return request(Intent.ENTER, session, Claim.NONE);
    }

    /**
     * Returns visits to repeat, with all sessions equally likely; recorded sessions send in turn. Each visit has a
     * session name and a claim on this room, as if read from a cookie.
     *
     * @param epoch of the room
     * @param turn number of the turn: in each turn, other sessions send
     */
    List<AdmissionRequest> again(int visits, long epoch, int turn) {
        Random random = new Random(SEED * turn + size);
        List<AdmissionRequest> made = new ArrayList<>(visits);
        for (int i = 0; i < visits; i++) {
            made.add(
                    switch (state) {
                        case WAITING -> poll(random.nextInt(size), epoch);
                        case RECORDED -> poll((int) ((long) i * STRIDE % size), epoch);
                        case ADMITTED ->
                            request(
                                    Intent.RENEW,
                                    random.nextInt(size),
                                    new Claim(epoch, 0, 0, epoch + LONG, epoch + LONG));
                    });
        }
        return made;
    }

    private static AdmissionRequest poll(int session, long epoch) {
        return request(Intent.POLL, session, new Claim(epoch, epoch + session, epoch + session, 0, 0));
    }

    private static AdmissionRequest request(Intent intent, int session, Claim claim) {
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
