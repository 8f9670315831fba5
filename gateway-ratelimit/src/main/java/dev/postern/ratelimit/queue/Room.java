package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import org.jspecify.annotations.Nullable;

/**
 * One fair queue: lets a bounded number of sessions use the site and keeps the others in the order in which they came.
 *
 * <p>The steps of {@link #decide} in order, which {@code room.lua} repeats: who holds a pass passes; while nobody waits the base rate
 * passes, and gives its page a lease; who has a place keeps it, who may take one takes one; and who has fewer people before them than slots
 * are free is admitted. So {@code rank < free} keeps a slot for everybody further ahead: nobody overtakes one who is present, yet k free
 * slots admit the first k who ask.
 *
 * <p>Not thread-safe: one owner calls it, with a clock that never goes back.
 */
public final class Room {

    private static final int REMEMBERED = 1 << 18;

    private final long epoch;
    private final WaitQueue line = new WaitQueue();
    private final ActiveSessions passes = new ActiveSessions();
    private final ExpiringMap<Long> arrivals = new ExpiringMap<>(REMEMBERED);
    private final ExpiringMap<Lease> leases = new ExpiringMap<>(REMEMBERED);
    private final ExpiringMap<String> openers = new ExpiringMap<>(REMEMBERED);
    private final TicketSequence tickets;
    private RoomRules configured;
    private RoomOverrides controls = RoomOverrides.NONE;
    private RoomRules rules;
    private final NodeTable nodes = new NodeTable();

    /** @param now of the room's clock: its memory begins here, and nothing given before it is known */
    public Room(RoomRules rules, long now) {
        this.configured = rules;
        this.rules = rules;
        this.epoch = now;
        this.tickets = new TicketSequence(now);
    }

    /** Other rules from now on; passes that exceed a smaller bound end by themselves. */
    public void rules(RoomRules changed) {
        configured = changed;
        rules = controls.over(configured);
    }

    /** What an operator wants, from now on and whatever is configured later. */
    public void control(RoomOverrides wanted) {
        controls = wanted;
        rules = controls.over(configured);
    }

    /** Admits nobody new until that instant, or until all nodes have told what they know. */
    public void freeze(long deadline) {
        nodes.freeze(deadline);
    }

    /** Takes what a node tells with a call; a room without nodes knows all by itself. */
    public void report(RoomReport report, long now) {
        nodes.report(report, epoch, rules, now);
        tidy(now);
    }

    /** A node serves nobody any more. */
    public void leave(String node) {
        nodes.leave(node);
    }

    /** How many nodes share the room. */
    public int nodes() {
        return nodes.size();
    }

    public AdmissionDecision decide(AdmissionRequest visit, long now) {
        tidy(now);
        ActiveSessions.Pass pass = passes.get(visit.session());
        if (pass != null && pass.hard() > 0) {
            passes.extend(pass, Math.max(pass.end(), Math.min(now + rules.idle(), pass.hard())));
            return admitted(visit, pass.end(), pass.hard(), now);
        }
        if (pass == null && claimsPass(visit.claim(), now)) {
            return admit(visit, visit.claim().hard(), now);
        }
        if (visit.intent() == Intent.RENEW) {
            return turnedAway(Kind.LIMITED, 0, now);
        }
        if (visit.intent().asks() && passesAsBase(visit, now)) {
            return turnedAway(Kind.BASE, 0, now);
        }
        return queue(visit, now);
    }

    /** Ends a pass and a place in the line; the slot is free once no node can still believe in the pass. */
    public void revoke(String session, long now) {
        tidy(now);
        ActiveSessions.Pass pass = passes.get(session);
        if (pass != null) {
            passes.revoke(pass);
        }
        line.remove(session);
    }

    public Snapshot snapshot(long now) {
        return new Snapshot(now, epoch, line.size(), passes.size());
    }

    /** Clears away what has ended; then says whether nothing is left, so that the room may vanish. */
    public boolean vanishes(long now) {
        return deserted(now) && arrivals.isEmpty() && leases.isEmpty() && openers.isEmpty();
    }

    /** Clears away what has ended; then says whether no session waits or has a pass. */
    public boolean deserted(long now) {
        tidy(now);
        return line.size() == 0 && passes.size() == 0;
    }

    private void tidy(long now) {
        passes.dropEnded(nodes.silentTo(now), now, rules);
        line.dropSilentSince(nodes.absentTo(rules, now) - rules.absence());
        arrivals.dropEnded(now);
        leases.dropEnded(now);
        openers.dropEnded(now);
    }

    /** A pass from before the room lost its memory is a claim on a free slot, for as long as it could have lived. */
    private boolean claimsPass(Claim claim, long now) {
        return claim.end() > now && foreign(claim) && now < epoch + rules.pass() && passes.size() < rules.active();
    }

    private boolean foreign(Claim claim) {
        return claim.epoch() != 0 && claim.epoch() != epoch;
    }

    private boolean passesAsBase(AdmissionRequest visit, long now) {
        Gcra base = rules.base();
        Long known = arrivals.get(visit.key(), now);
        long arrival = known == null ? 0 : known;
        Lease lease = leases.get(visit.session(), now);
        if (opensToStrangers(now) && base.allows(arrival, now)) {
            if (visit.intent() == Intent.PAGE || visit.intent() == Intent.ENTER && lease == null) {
                leases.put(visit.session(), new Lease(), now + RoomRules.LEASE);
            }
        } else if (visit.intent() != Intent.PAGE && lease != null && lease.left > 0) {
            lease.left--; // passes whatever the rate says; the rate pays for it later
        } else {
            return false;
        }
        long next = base.next(arrival, now);
        arrivals.put(visit.key(), next, next);
        return true;
    }

    private boolean opensToStrangers(long now) {
        // While the room doubts its memory, somebody may be waiting of whom it doesn't know.
        return line.size() == 0
                && !nodes.frozen(now)
                && now >= rules.opens()
                && controls.mode().base();
    }

    private AdmissionDecision queue(AdmissionRequest visit, long now) {
        long ticket = line.heard(visit.session(), now);
        if (ticket == 0) {
            Kind refused = mayNotJoin(visit, now);
            if (refused != null) {
                return turnedAway(refused, retry(visit, now), now);
            }
            ticket = join(visit, now);
        }
        if (now < rules.opens()) {
            return waiting(0, rules.opens() - now, rules.pollBefore(now), ticket, now);
        }
        long rank = line.rank(ticket);
        if (rank < rules.active() - passes.size()
                && !nodes.frozen(now)
                && controls.mode().admits()
                && visit.intent() != Intent.KEEP) {
            return admit(visit, now + rules.pass(), now);
        }
        long position = rank + 1;
        long estimate = rules.estimate(position, passes.hold(rules));
        return waiting(position, estimate, rules.poll(position), ticket, now);
    }

    private AdmissionDecision waiting(long position, long estimate, long retry, long ticket, long now) {
        return new AdmissionDecision(Kind.WAITING, position, estimate, retry, ticket, 0, 0, false, snapshot(now));
    }

    private @Nullable Kind mayNotJoin(AdmissionRequest visit, long now) {
        boolean restores = restores(visit.claim(), now);
        if (!visit.intent().joins() && !restores) {
            return Kind.LIMITED;
        }
        if (!controls.mode().joins() && !restores) {
            return Kind.FULL;
        }
        if (line.size() >= rules.most() && line.size() >= rules.active() - passes.size()) {
            return Kind.FULL;
        }
        String opened = openers.get(visit.credential(), now);
        return opened != null && !opened.equals(visit.session()) ? Kind.TAKEN : null;
    }

    private long join(AdmissionRequest visit, long now) {
        long ticket = line.free(ticket(visit, now));
        line.add(visit.session(), ticket, now);
        if (!visit.credential().isEmpty()) {
            openers.put(visit.credential(), visit.session(), now + RoomRules.CREDENTIAL_MEMORY);
        }
        return ticket;
    }

    private long ticket(AdmissionRequest visit, long now) {
        TenantShare share = visit.share();
        if (restores(visit.claim(), now)) {
            tickets.restored(share, visit.claim().ticket());
            return visit.claim().ticket();
        }
        if (now < rules.opens()) {
            return tickets.shuffled(visit.session(), rules.opens());
        }
        return share.tenant().isEmpty() ? tickets.inOrder(now) : tickets.fair(share, now, line.size() == 0);
    }

    /** A place that was given before the room lost its memory, and whose holder has been heard from since. */
    private boolean restores(Claim claim, long now) {
        return claim.ticket() > 0 && foreign(claim) && claim.seen() > now - rules.absence() && claim.seen() <= now;
    }

    private long retry(AdmissionRequest visit, long now) {
        Long arrival = arrivals.get(visit.key(), now);
        long due = arrival == null ? 0 : rules.base().wait(arrival, now);
        return Math.max(due, line.size() == 0 ? 0 : rules.poll(0));
    }

    private AdmissionDecision admit(AdmissionRequest visit, long hard, long now) {
        tickets.admitted(line.remove(visit.session()));
        long end = Math.min(now + rules.idle(), hard);
        passes.put(visit.session(), now, end, hard);
        return admitted(visit, end, hard, now);
    }

    private AdmissionDecision admitted(AdmissionRequest visit, long end, long hard, long now) {
        boolean vouched = visit.session().equals(openers.get(visit.credential(), now));
        return new AdmissionDecision(Kind.ADMITTED, 0, 0, 0, 0, end, hard, vouched, snapshot(now));
    }

    private AdmissionDecision turnedAway(Kind kind, long retry, long now) {
        return new AdmissionDecision(kind, 0, 0, retry, 0, 0, 0, false, snapshot(now));
    }

    /** What a page that was let through may still fetch. */
    private static final class Lease {

        private int left = RoomRules.LEASE_REQUESTS;
    }
}
