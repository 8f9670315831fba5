package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;

/** Creates requests and rules for tests. */
public final class AdmissionRequests {

    public static final long SECOND = 1_000_000;

    private AdmissionRequests() {}

    /** Permits three sessions at once, 10 s of silence, 60 s at most, 5 s of absence; one request a second on the base rate. */
    public static RoomRules rules() {
        return new RoomRules(3, 60 * SECOND, 10 * SECOND, 5 * SECOND, 1000, new Gcra(SECOND, 0));
    }

    public static AdmissionRequest visit(Intent intent, String session) {
        return new AdmissionRequest(intent, session, "all", Claim.NONE, "", TenantShare.NONE);
    }

    public static AdmissionRequest enter(String session) {
        return visit(Intent.ENTER, session);
    }

    public static AdmissionRequest poll(String session) {
        return visit(Intent.POLL, session);
    }

    public static AdmissionRequest fetch(String session) {
        return visit(Intent.FETCH, session);
    }

    public static AdmissionRequest claiming(String session, Claim claim) {
        return new AdmissionRequest(Intent.ENTER, session, "all", claim, "", TenantShare.NONE);
    }

    public static AdmissionRequest withCredential(String session, String credential) {
        return new AdmissionRequest(Intent.ENTER, session, "all", Claim.NONE, credential, TenantShare.NONE);
    }
}
