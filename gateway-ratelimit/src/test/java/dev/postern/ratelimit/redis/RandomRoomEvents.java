package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.queue.TenantShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Generates random events of a room that reach all its states: few sessions, few credentials, claims of this and another epoch. */
final class RandomRoomEvents {

    private static final Intent[] INTENTS = Intent.values();
    private static final TenantShare[] TENANTS = {
        new TenantShare("a", 1), new TenantShare("b", 3), new TenantShare("c", 100)
    };

    private static final String[] NETWORKS = {"", "net-0001", "net-0001", "net-0001", "net-0002"};

    /** Absence of a directed history. */
    private static final long ABSENCE = 2 * SECOND;

    private final Random random;
    private final boolean tenants;
    private final int silent;
    private final int lateComer;
    private final boolean slow;
    /** Whether there is no pause that is long enough for an outage. */
    private final boolean steady;

    private final List<Claim> given = new ArrayList<>(List.of(Claim.NONE));

    /** Whether the history begins with {@link #beginning}. */
    private final boolean directed;

    /**
     * @param steady whether there is no pause that is long enough for an outage
     * @param directed whether the history begins with {@link #beginning}
     */
    RandomRoomEvents(Random random, boolean steady, boolean directed) {
        this.random = random;
        this.steady = steady;
        this.directed = directed;
        this.tenants = random.nextInt(3) == 0;
        this.silent = random.nextInt(2 * ScriptComparison.STEPS);
        this.lateComer = random.nextInt(2 * ScriptComparison.STEPS);
        this.slow = random.nextBoolean() && !directed;
    }

    /** Requests of one call, and the time before it. */
    record Step(long pause, List<AdmissionRequest> requests) {}

    /**
     * Generates the beginning of a directed history: a session that waits falls silent and is absent; its node reports a later request of it,
     * and it returns when its place would be lost without that request. Else empty.
     */
    List<Step> beginning(long now) {
        if (!directed) {
            return List.of();
        }
        Claim heard = new Claim(1, now, now + 2 * ABSENCE, 0, 0);
        AdmissionRequest inUse = request(Intent.FETCH, "s0", Claim.NONE);
        return List.of(
                new Step(0, List.of(request(Intent.ENTER, "s0", Claim.NONE), request(Intent.ENTER, "s1", Claim.NONE))),
                new Step(2 * ABSENCE, List.of(inUse)),
                new Step(ABSENCE, List.of(inUse, request(Intent.KEEP, "s1", heard))),
                new Step(2 * ABSENCE, List.of(inUse)),
                new Step(0, List.of(request(Intent.POLL, "s1", Claim.NONE))));
    }

    private static AdmissionRequest request(Intent intent, String session, Claim claim) {
        return new AdmissionRequest(intent, session, "k0", claim, "", TenantShare.NONE);
    }

    RoomRules rules(long now) {
        if (directed) {
            return new RoomRules(1, 60 * SECOND, 5 * SECOND, ABSENCE, 4 * ABSENCE, 10, null, 0);
        }
        long absence = (1 + random.nextInt(10)) * SECOND;
        return new RoomRules(
                        1 + random.nextInt(5),
                        (5 + random.nextInt(60)) * SECOND,
                        (1 + random.nextInt(10)) * SECOND,
                        absence,
                        absence + (long) random.nextInt(4) * random.nextInt(10) * SECOND,
                        random.nextInt(12),
                        oneIn(5) ? null : rate(),
                        random.nextInt(4) == 0 ? now + random.nextInt((int) (20 * SECOND)) : 0)
                .perNetwork(random.nextInt(3) > 0 ? Integer.MAX_VALUE : 1 + random.nextInt(3));
    }

    /** Generates overrides of an operator, mostly that the room is open. */
    RoomOverrides controls(long now) {
        RoomOverrides wanted = RoomOverrides.NONE
                .in(RoomMode.of(random.nextBoolean() ? 0 : random.nextInt(RoomMode.values().length)))
                .active(random.nextInt(2) * (1 + random.nextInt(6)))
                .opens(random.nextInt(4) == 0 ? now + random.nextInt((int) (10 * SECOND)) : 0);
        return random.nextInt(3) == 0 ? wanted.base(rate()) : wanted;
    }

    boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    long pause() {
        int kind = random.nextInt(10);
        if (kind < 5) {
            return random.nextInt(3);
        }
        return kind < 9 || steady ? random.nextInt((int) SECOND) : random.nextInt((int) (12 * SECOND));
    }

    /** Generates a step of a clock that is longer than any pause. */
    static long step(Random random) {
        long length = 20 * SECOND + random.nextInt((int) (2_000 * SECOND));
        return random.nextBoolean() ? length : -length;
    }

    String session() {
        return "s" + random.nextInt(16);
    }

    /** Selects a node: the first reports always, the second until it falls silent, the third rarely. */
    String node(int step) {
        int chance = random.nextInt(40);
        if (chance == 0 && step > lateComer) {
            return "n2";
        }
        return chance < 15 && step < silent ? "n1" : "n0";
    }

    /** @param known the epoch that the node knows */
    RoomReport report(String node, long known, long now, int replicas) {
        boolean late = slow && random.nextInt(3) == 0;
        long reported = now - random.nextInt(late ? (int) (15 * SECOND) : 300_000);
        return new RoomReport(node, known, reported, 1 + random.nextInt(ScriptComparison.NODES), replicas);
    }

    List<AdmissionRequest> visits(long now, int max) {
        List<AdmissionRequest> requests = new ArrayList<>();
        if (oneIn(100)) { // a page with more subresources than its lease permits
            String session = session();
            for (int i = 0; i <= Math.min(RoomRules.LEASE_REQUESTS + 1, max); i++) {
                Intent intent = i == 0 ? Intent.ENTER : Intent.FETCH;
                requests.add(new AdmissionRequest(intent, session, "k0", Claim.NONE, "", TenantShare.NONE));
            }
            return requests;
        }
        boolean copies = given.size() % 8 == 0; // all requests of the call carry the claim of the first
        for (int i = Math.min(1 + random.nextInt(4), max); i > 0; i--) {
            Intent intent = random.nextInt(3) > 0 ? Intent.ENTER : INTENTS[random.nextInt(INTENTS.length)];
            String credential = random.nextInt(3) == 0 ? "c" + random.nextInt(10) : "";
            TenantShare share = tenants ? TENANTS[random.nextInt(TENANTS.length)] : TenantShare.NONE;
            Claim own = claim(now);
            Claim claim = copies && !requests.isEmpty() ? requests.get(0).claim() : own;
            AdmissionRequest request =
                    new AdmissionRequest(intent, session(), "k" + random.nextInt(3), claim, credential, share);
            requests.add(request.countedFor(NETWORKS[random.nextInt(NETWORKS.length)]));
        }
        return requests;
    }

    void record(AdmissionDecision decision) {
        given.add(new Claim(
                decision.room().epoch(), decision.ticket(), decision.room().now(), decision.end(), decision.hard()));
    }

    private Gcra rate() {
        return new Gcra(100_000L + random.nextInt(3_000_000), random.nextInt(2_000_000));
    }

    private Claim claim(long now) {
        if (random.nextInt(3) > 0) {
            return Claim.NONE;
        }
        Claim claim = given.get(random.nextInt(given.size()));
        if (random.nextBoolean()) {
            return claim;
        }
        long returned = random.nextInt((int) (20 * SECOND));
        return new Claim(
                1 + random.nextInt(3),
                now - returned,
                now - returned / 2,
                random.nextBoolean() ? now + random.nextInt((int) (5 * SECOND)) : 0,
                now + 5 * SECOND + random.nextInt((int) (20 * SECOND)));
    }
}
