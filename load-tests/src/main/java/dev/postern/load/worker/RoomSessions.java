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
 * A room as a benchmark fills it: so many sessions that wait behind one with the only pass, so many that all hold one, or strangers that a
 * base rate lets pass which nobody uses up.
 *
 * <p>Nothing in it ends by itself while it is measured; where it is about those who wait or are in, its first visit uses up the base rate.
 *
 * @param size how many sessions beside that first one
 */
record RoomSessions(State state, int size) {
    /** Longer than a run takes. */
    private static final long LONG = 3_600_000_000L;

    private static final long SEED = 9578;
    private static final String KEY = "0123456789abcdef";
    /** A visit each microsecond, and a second's worth at once. */
    private static final Gcra FREE = Gcra.of(1_000_000, 1_000_000, 1_000_000);

    private static final Gcra USED_UP = Gcra.of(1, LONG, 0);

    /** What its sessions do. */
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

    /** Who takes the first pass, once the base rate is used up; where it never is, who passes first. */
    AdmissionRequest first() {
        return enter(size);
    }

    /** What that one is told in the end. */
    Kind firstKind() {
        return state == State.BASE ? Kind.BASE : Kind.ADMITTED;
    }

    AdmissionRequest enter(int session) {
        return visit(Intent.ENTER, session, Claim.NONE);
    }

    /**
     * What they ask again and again, each of them as likely as any other. Each visit has a name of its own and a claim on this room, as if
     * read from a cookie. Whoever passes on the base rate brings no cookie and is a stranger each time.
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

    /** 12 characters as every session has, spread as if they were random. */
    static String name(int session) {
        long spread = (session + 1) * 0x9E3779B97F4A7C15L;
        byte[] bytes =
                ByteBuffer.allocate(9).putLong(spread).put((byte) session).array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
