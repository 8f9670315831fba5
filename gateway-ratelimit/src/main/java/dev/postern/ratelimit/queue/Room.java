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
    private final WaitQueue waitQueue = new WaitQueue();
    private final ActiveSessions sessions = new ActiveSessions();
    private final ExpiringMap<Long> arrivals = new ExpiringMap<>(REMEMBERED);
    private final ExpiringMap<Lease> leases = new ExpiringMap<>(REMEMBERED);
    private final ExpiringMap<String> openers = new ExpiringMap<>(REMEMBERED);
    private final TicketSequence tickets;
    private RoomRules configured;
    private RoomOverrides overrides = RoomOverrides.NONE;
    private RoomRules rules;
    private final NodeTable table = new NodeTable();

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
        rules = overrides.over(configured);
    }

    /** What an operator wants, from now on and whatever is configured later. */
    public void control(RoomOverrides wanted) {
        overrides = wanted;
        rules = overrides.over(configured);
    }

    /** Admits nobody new until that instant, or until all nodes have told what they know. */
    public void freeze(long deadline) {
        table.freeze(deadline);
    }

    /** Takes what a node tells with a call; a room without nodes knows all by itself. */
    public void report(RoomReport report, long now) {
        table.report(report, epoch, rules, now);
        tidy(now);
    }

    /** A node serves nobody any more. */
    public void leave(String node) {
        table.leave(node);
    }

    /** How many nodes share the room. */
    public int nodes() {
        return table.size();
    }

    public AdmissionDecision decide(AdmissionRequest request, long now) {
        tidy(now);
        ActiveSessions.Pass pass = sessions.get(request.session());
        if (pass != null && pass.hard() > 0) {
            sessions.extend(pass, Math.max(pass.end(), Math.min(now + rules.idle(), pass.hard())));
            return admitted(request, pass.end(), pass.hard(), now);
        }
        if (pass == null && claimsPass(request.claim(), now)) {
            return admit(request, request.claim().hard(), now);
        }
        if (request.intent() == Intent.RENEW) {
            return turnedAway(Kind.LIMITED, 0, now);
        }
        if (request.intent().asks() && passesAsBase(request, now)) {
            return turnedAway(Kind.BASE, 0, now);
        }
        return queue(request, now);
    }

    /** Ends a pass and a place in the line; the slot is free once no node can still believe in the pass. */
    public void revoke(String session, long now) {
        tidy(now);
        ActiveSessions.Pass pass = sessions.get(session);
        if (pass != null) {
            sessions.revoke(pass);
        }
        waitQueue.remove(session);
    }

    public Snapshot snapshot(long now) {
        return new Snapshot(now, epoch, waitQueue.size(), sessions.size());
    }

    /** Clears away what has ended; then says whether nothing is left, so that the room may vanish. */
    public boolean vanishes(long now) {
        return deserted(now) && arrivals.isEmpty() && leases.isEmpty() && openers.isEmpty();
    }

    /** Clears away what has ended; then says whether no session waits or has a pass. */
    public boolean deserted(long now) {
        tidy(now);
        return waitQueue.size() == 0 && sessions.size() == 0;
    }

    private void tidy(long now) {
        sessions.dropEnded(table.silentTo(now), now, rules);
        waitQueue.dropSilentSince(table.absentTo(rules, now) - rules.absence());
        arrivals.dropEnded(now);
        leases.dropEnded(now);
        openers.dropEnded(now);
    }

    /** A pass from before the room lost its memory is a claim on a free slot, for as long as it could have lived. */
    private boolean claimsPass(Claim claim, long now) {
        return claim.end() > now && foreign(claim) && now < epoch + rules.pass() && sessions.size() < rules.active();
    }

    private boolean foreign(Claim claim) {
        return claim.epoch() != 0 && claim.epoch() != epoch;
    }

    private boolean passesAsBase(AdmissionRequest request, long now) {
        Gcra base = rules.base();
        Long known = arrivals.get(request.key(), now);
        long arrival = known == null ? 0 : known;
        Lease lease = leases.get(request.session(), now);
        if (opensToStrangers(now) && base.allows(arrival, now)) {
            if (request.intent() == Intent.PAGE || request.intent() == Intent.ENTER && lease == null) {
                leases.put(request.session(), new Lease(), now + RoomRules.LEASE);
            }
        } else if (request.intent() != Intent.PAGE && lease != null && lease.left > 0) {
            lease.left--; // passes whatever the rate says; the rate pays for it later
        } else {
            return false;
        }
        long next = base.next(arrival, now);
        arrivals.put(request.key(), next, next);
        return true;
    }

    private boolean opensToStrangers(long now) {
        // While the room doubts its memory, somebody may be waiting of whom it doesn't know.
        return waitQueue.size() == 0
                && !table.frozen(now)
                && now >= rules.opens()
                && overrides.mode().base();
    }

    private AdmissionDecision queue(AdmissionRequest request, long now) {
        long ticket = waitQueue.heard(request.session(), now);
        if (ticket == 0) {
            Kind refused = mayNotJoin(request, now);
            if (refused != null) {
                return turnedAway(refused, retry(request, now), now);
            }
            ticket = join(request, now);
        }
        if (now < rules.opens()) {
            return waiting(0, rules.opens() - now, rules.pollBefore(now), ticket, now);
        }
        long rank = waitQueue.rank(ticket);
        if (rank < rules.active() - sessions.size()
                && !table.frozen(now)
                && overrides.mode().admits()
                && request.intent() != Intent.KEEP) {
            return admit(request, now + rules.pass(), now);
        }
        long position = rank + 1;
        long estimate = rules.estimate(position, sessions.hold(rules));
        return waiting(position, estimate, rules.poll(position), ticket, now);
    }

    private AdmissionDecision waiting(long position, long estimate, long retry, long ticket, long now) {
        return new AdmissionDecision(Kind.WAITING, position, estimate, retry, ticket, 0, 0, false, snapshot(now));
    }

    private @Nullable Kind mayNotJoin(AdmissionRequest request, long now) {
        boolean restores = restores(request.claim(), now);
        if (!request.intent().joins() && !restores) {
            return Kind.LIMITED;
        }
        if (!overrides.mode().joins() && !restores) {
            return Kind.FULL;
        }
        if (waitQueue.size() >= rules.most() && waitQueue.size() >= rules.active() - sessions.size()) {
            return Kind.FULL;
        }
        String opened = openers.get(request.credential(), now);
        return opened != null && !opened.equals(request.session()) ? Kind.TAKEN : null;
    }

    private long join(AdmissionRequest request, long now) {
        long ticket = waitQueue.free(ticket(request, now));
        waitQueue.add(request.session(), ticket, now);
        if (!request.credential().isEmpty()) {
            openers.put(request.credential(), request.session(), now + RoomRules.CREDENTIAL_MEMORY);
        }
        return ticket;
    }

    private long ticket(AdmissionRequest request, long now) {
        TenantShare share = request.share();
        if (restores(request.claim(), now)) {
            tickets.restored(share, request.claim().ticket());
            return request.claim().ticket();
        }
        if (now < rules.opens()) {
            return tickets.shuffled(request.session(), rules.opens());
        }
        return share.tenant().isEmpty() ? tickets.inOrder(now) : tickets.fair(share, now, waitQueue.size() == 0);
    }

    /** A place that was given before the room lost its memory, and whose holder has been heard from since. */
    private boolean restores(Claim claim, long now) {
        return claim.ticket() > 0 && foreign(claim) && claim.seen() > now - rules.absence() && claim.seen() <= now;
    }

    private long retry(AdmissionRequest request, long now) {
        Long arrival = arrivals.get(request.key(), now);
        long due = arrival == null ? 0 : rules.base().wait(arrival, now);
        return Math.max(due, waitQueue.size() == 0 ? 0 : rules.poll(0));
    }

    private AdmissionDecision admit(AdmissionRequest request, long hard, long now) {
        tickets.admitted(waitQueue.remove(request.session()));
        long end = Math.min(now + rules.idle(), hard);
        sessions.put(request.session(), now, end, hard);
        return admitted(request, end, hard, now);
    }

    private AdmissionDecision admitted(AdmissionRequest request, long end, long hard, long now) {
        boolean vouched = request.session().equals(openers.get(request.credential(), now));
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
