package dev.postern.ratelimit.queue;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import org.jspecify.annotations.Nullable;

/**
 * Room with one fair queue: admits a limited number of sessions and keeps the others in the order of their arrival.
 *
 * <p>The steps of {@link #decide}, in order, which {@code room.lua} implements too: a session with a pass passes; while the queue is empty,
 * requests within the base rate pass, and a page gets a lease; a session with a place keeps the place, and a session that may take a place
 * takes one; a session with fewer sessions before it than there are free slots is admitted. The rule {@code rank < free} reserves a slot
 * for each session further ahead: no session overtakes a present one, but k free slots admit those of the first k that send a request.
 *
 * <p>Not thread-safe. The clock passed to the methods must never go back.
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

    /** @param now of the room's clock: the start of the room's memory; passes and places issued before are unknown */
    public Room(RoomRules rules, long now) {
        this.configured = rules;
        this.rules = rules;
        this.epoch = now;
        this.tickets = new TicketSequence(now);
    }

    /** Sets new rules. Passes above a smaller session limit are not revoked. */
    public void rules(RoomRules changed) {
        configured = changed;
        rules = overrides.appliedTo(configured);
    }

    /** Sets the operator's overrides, which also apply to rules set later. */
    public void control(RoomOverrides wanted) {
        overrides = wanted;
        rules = overrides.appliedTo(configured);
    }

    /** Freezes the room: no admission until the deadline, or until all nodes have reported. */
    public void freeze(long deadline) {
        table.freeze(deadline);
    }

    /** Takes the report of a node. A room without reports has no other nodes. */
    public void report(RoomReport report, long now) {
        table.report(report, epoch, rules, now);
        tidy(now);
    }

    /** Removes a node that serves no more requests. */
    public void leave(String node) {
        table.leave(node);
    }

    /** Returns the number of nodes that share the room. */
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

    /** Revokes the pass and the place of a session. The slot becomes free once no node can still accept the pass. */
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

    /** Removes ended entries. Returns whether none is left, so that the room may be removed. */
    public boolean vanishes(long now) {
        return deserted(now) && arrivals.isEmpty() && leases.isEmpty() && openers.isEmpty();
    }

    /** Removes ended entries. Returns whether no session waits or has a pass. */
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

    /** Returns whether the claim to a pass from before a loss of memory takes a free slot; only as long as such a pass could have lived. */
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
        if (baseRateApplies(now) && base.allows(arrival, now)) {
            if (request.intent() == Intent.PAGE || request.intent() == Intent.ENTER && lease == null) {
                leases.put(request.session(), new Lease(), now + RoomRules.LEASE);
            }
        } else if (request.intent() != Intent.PAGE && lease != null && lease.remaining > 0) {
            lease.remaining--; // passes regardless of the rate, but counts for the rate
        } else {
            return false;
        }
        long next = base.next(arrival, now);
        arrivals.put(request.key(), next, next);
        return true;
    }

    private boolean baseRateApplies(long now) {
        // While the room is frozen, there may be waiting sessions that no node has reported yet.
        return waitQueue.size() == 0
                && !table.frozen(now)
                && now >= rules.opens()
                && overrides.mode().base();
    }

    private AdmissionDecision queue(AdmissionRequest request, long now) {
        long ticket = waitQueue.touch(request.session(), rules.recorded(now));
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
        if (waitQueue.size() >= rules.maxWaiting() && waitQueue.size() >= rules.active() - sessions.size()) {
            return Kind.FULL;
        }
        String opened = openers.get(request.credential(), now);
        return opened != null && !opened.equals(request.session()) ? Kind.TAKEN : null;
    }

    private long join(AdmissionRequest request, long now) {
        long ticket = waitQueue.free(ticket(request, now));
        waitQueue.add(request.session(), ticket, rules.recorded(now));
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

    /** Returns whether the claim restores a place from before a loss of memory; its session must have been present since. */
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
        boolean openedTicket = request.session().equals(openers.get(request.credential(), now));
        return new AdmissionDecision(Kind.ADMITTED, 0, 0, 0, 0, end, hard, openedTicket, snapshot(now));
    }

    private AdmissionDecision turnedAway(Kind kind, long retry, long now) {
        return new AdmissionDecision(kind, 0, 0, retry, 0, 0, 0, false, snapshot(now));
    }

    /** Lease of a page that passed within the base rate: the number of further requests for its parts. */
    private static final class Lease {

        private int remaining = RoomRules.LEASE_REQUESTS;
    }
}
