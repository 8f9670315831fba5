package dev.postern.ratelimit.redis;

import static dev.postern.ratelimit.queue.Visits.SECOND;

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

/** Makes what happens to a room, so that all its corners are reached: few sessions, few credentials, claims of this and another memory. */
final class History {

    private static final Intent[] INTENTS = Intent.values();
    private static final TenantShare[] TENANTS = {
        new TenantShare("a", 1), new TenantShare("b", 3), new TenantShare("c", 100)
    };

    private final Random random;
    private final boolean tenants;
    private final int silent;
    private final int lateComer;
    private final boolean slow;
    private final List<Claim> given = new ArrayList<>(List.of(Claim.NONE));

    History(Random random) {
        this.random = random;
        this.tenants = random.nextInt(3) == 0;
        this.silent = random.nextInt(2 * Model.STEPS);
        this.lateComer = random.nextInt(2 * Model.STEPS);
        this.slow = random.nextBoolean();
    }

    RoomRules rules(long now) {
        return new RoomRules(
                1 + random.nextInt(5),
                (5 + random.nextInt(60)) * SECOND,
                (1 + random.nextInt(10)) * SECOND,
                (1 + random.nextInt(10)) * SECOND,
                random.nextInt(12),
                rate(),
                random.nextInt(4) == 0 ? now + random.nextInt((int) (20 * SECOND)) : 0);
    }

    /** What an operator wants all of a sudden, mostly that the room is open. */
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
        return kind < 9 ? random.nextInt((int) SECOND) : random.nextInt((int) (12 * SECOND));
    }

    String session() {
        return "s" + random.nextInt(16);
    }

    /** The first of the nodes calls all the time, the second until it falls silent, the third comes rarely. */
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
        return new RoomReport(node, known, reported, 1 + random.nextInt(Model.NODES), replicas);
    }

    List<AdmissionRequest> visits(long now, int most) {
        List<AdmissionRequest> visits = new ArrayList<>();
        if (oneIn(100)) { // a page with more to fetch than belongs to one
            String session = session();
            for (int i = 0; i <= Math.min(RoomRules.LEASE_REQUESTS + 1, most); i++) {
                Intent intent = i == 0 ? Intent.ENTER : Intent.FETCH;
                visits.add(new AdmissionRequest(intent, session, "k0", Claim.NONE, "", TenantShare.NONE));
            }
            return visits;
        }
        for (int i = Math.min(1 + random.nextInt(4), most); i > 0; i--) {
            Intent intent = random.nextInt(3) > 0 ? Intent.ENTER : INTENTS[random.nextInt(INTENTS.length)];
            String credential = random.nextInt(3) == 0 ? "c" + random.nextInt(10) : "";
            TenantShare share = tenants ? TENANTS[random.nextInt(TENANTS.length)] : TenantShare.NONE;
            visits.add(new AdmissionRequest(intent, session(), "k" + random.nextInt(3), claim(now), credential, share));
        }
        return visits;
    }

    void learn(AdmissionDecision decision) {
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
