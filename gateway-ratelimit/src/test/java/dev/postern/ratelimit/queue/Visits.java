package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.Visit.Claim;
import dev.postern.ratelimit.queue.Visit.Intent;

/** Visits and rules as tests need them. */
public final class Visits {

    public static final long SECOND = 1_000_000;

    private Visits() {}

    /** Three at once, 10 s of silence, 60 s at most, 5 s of absence; one request a second on the base rate. */
    public static RoomRules rules() {
        return new RoomRules(3, 60 * SECOND, 10 * SECOND, 5 * SECOND, 1000, new Gcra(SECOND, 0));
    }

    public static Visit visit(Intent intent, String session) {
        return new Visit(intent, session, "all", Claim.NONE, "", Share.NONE);
    }

    public static Visit enter(String session) {
        return visit(Intent.ENTER, session);
    }

    public static Visit poll(String session) {
        return visit(Intent.POLL, session);
    }

    public static Visit fetch(String session) {
        return visit(Intent.FETCH, session);
    }

    public static Visit claiming(String session, Claim claim) {
        return new Visit(Intent.ENTER, session, "all", claim, "", Share.NONE);
    }

    public static Visit withCredential(String session, String credential) {
        return new Visit(Intent.ENTER, session, "all", Claim.NONE, credential, Share.NONE);
    }
}
