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
 * A session beyond its network's share of the places is deferred: it takes its place, at the time of its first request, when it comes back.
 *
 * <p>A session that was silent for the time of an absence is passed over: it counts neither in the queue nor in positions. Its place is kept,
 * so with its next request it is back ahead of all that arrived later and were not admitted yet.
 *
 * <p>Not thread-safe. The clock passed to the methods is the room's own, which never goes back and never jumps (docs/adr/0049).
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
    /** Offset of the wall clock to the room's clock: the opening is an instant of the wall clock. */
    private long wallAhead;
    /** Last opening that has come; it stays so, though the wall clock may step back. */
    private long opened;

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

    /** Sets by how much the wall clock is ahead of the room's clock, in microseconds. */
    public void wallAhead(long micros) {
        wallAhead = micros;
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

    /** Returns the number of absent sessions whose places are kept. */
    int absent() {
        return waitQueue.absentSize();
    }

    /** Removes ended entries. Returns whether none is left, so that the room may be removed. */
    public boolean vanishes(long now) {
        return deserted(now) && absent() == 0 && arrivals.isEmpty() && leases.isEmpty() && openers.isEmpty();
    }

    /** Removes ended entries. Returns whether no session waits or has a pass; absent ones may have places. */
    public boolean deserted(long now) {
        tidy(now);
        return waitQueue.size() == 0 && sessions.size() == 0;
    }

    private void tidy(long now) {
        if (rules.opens() > 0 && untilOpening(now) <= 0) {
            opened = rules.opens();
        }
        sessions.dropEnded(table.silentTo(now), now, rules);
        waitQueue.dropSilent(table.absentTo(rules, now), rules);
        arrivals.dropEnded(now);
        leases.dropEnded(now);
        openers.dropEnded(now);
    }

    private long untilOpening(long now) {
        return rules.opens() - now - wallAhead;
    }

    private boolean closed() {
        return rules.opens() > 0 && opened != rules.opens();
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
        if (base == null) {
            return false;
        }
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
                && !closed()
                && overrides.mode().base();
    }

    private AdmissionDecision queue(AdmissionRequest request, long now) {
        if (reportsAbsence(request, now)) {
            return keepAbsent(request, now);
        }
        long ticket = waitQueue.touch(request.session(), rules.recorded(now));
        if (ticket == 0) {
            Kind refused = mayNotJoin(request, now);
            if (refused == Kind.DEFERRED) {
                return deferred(request, now);
            }
            if (refused != null) {
                return turnedAway(refused, retry(request, now), now);
            }
            ticket = waitQueue.add(request.session(), ticket(request, now), request.network(), rules.recorded(now));
            rememberOpener(request, now);
        }
        long rank = waitQueue.rank(ticket);
        if (!closed()
                && rank < rules.active() - sessions.size()
                && !table.frozen(now)
                && overrides.mode().admits()
                && request.intent() != Intent.KEEP) {
            return admit(request, now + rules.pass(), now);
        }
        return place(rank, ticket, now);
    }

    /** Returns whether a node reports the place of a session that was silent for the time of an absence, according to the node too. */
    private boolean reportsAbsence(AdmissionRequest request, long now) {
        return request.intent() == Intent.KEEP
                && request.claim().seen() <= now - rules.absence()
                && !waitQueue.waits(request.session());
    }

    /** Keeps the place of an absent session as such, so that it blocks no other session. */
    private AdmissionDecision keepAbsent(AdmissionRequest request, long now) {
        Claim claim = request.claim();
        long ticket = waitQueue.renewAbsent(request.session(), claim.seen(), rules.maxWaiting());
        if (ticket == 0) {
            if (!restores(claim, now) || taken(request, now)) {
                Kind refused = restores(claim, now) ? Kind.TAKEN : Kind.LIMITED;
                return turnedAway(refused, retry(request, now), now);
            }
            ticket = ticket(request, now);
            waitQueue.addAbsent(
                    new AbsentPlaces.Place(request.session(), ticket, claim.seen(), request.network()),
                    rules.maxWaiting());
            rememberOpener(request, now);
        }
        return place(waitQueue.rank(ticket), ticket, now);
    }

    private AdmissionDecision place(long rank, long ticket, long now) {
        if (closed()) {
            return waiting(0, untilOpening(now), rules.pollBefore(now + wallAhead), ticket, now);
        }
        long position = rank + 1;
        return waiting(position, rules.estimate(position, sessions.hold(rules)), rules.poll(position), ticket, now);
    }

    private AdmissionDecision waiting(long position, long estimate, long retry, long ticket, long now) {
        return new AdmissionDecision(Kind.WAITING, position, estimate, retry, ticket, 0, 0, false, snapshot(now));
    }

    private @Nullable Kind mayNotJoin(AdmissionRequest request, long now) {
        boolean restores = restores(request.claim(), now);
        boolean polls = request.intent() == Intent.POLL && returns(request.claim(), now);
        if (!request.intent().joins() && !restores && !polls) {
            return Kind.LIMITED;
        }
        if (!overrides.mode().joins() && !restores) {
            return Kind.FULL;
        }
        if (waitQueue.size() >= rules.maxWaiting() && waitQueue.size() >= rules.active() - sessions.size()) {
            return Kind.FULL;
        }
        if (taken(request, now)) {
            return Kind.TAKEN;
        }
        if (!restores && mustComeBack(request, now)) {
            return Kind.DEFERRED;
        }
        // Only a request for a page tells its tenant, so the client asks for the page again.
        return polls && request.claim().ticket() == Claim.NO_TICKET ? Kind.LIMITED : null;
    }

    /**
     * Returns whether the network of the request has its share of the places. Beyond it, a session that comes back takes a place while its
     * network has fewer places than are free: one network never takes the last ones, however many clients it has (docs/adr/0051).
     */
    private boolean mustComeBack(AdmissionRequest request, long now) {
        int places = waitQueue.places(request.network());
        boolean waits = waitQueue.size() >= rules.active() - sessions.size();
        return waits
                && places >= rules.perNetwork()
                && !(returns(request.claim(), now) && places < rules.maxWaiting() - waitQueue.size());
    }

    /** Returns whether the claim is that of a deferred session of this room that came back in time. */
    private boolean returns(Claim claim, long now) {
        return claim.deferred()
                && claim.epoch() == epoch
                && claim.seen() > now - RoomRules.RETURN
                && claim.seen() <= now;
    }

    private AdmissionDecision deferred(AdmissionRequest request, long now) {
        rememberOpener(request, now);
        long ticket = request.share().tenant().isEmpty() ? -tickets.next(now) : Claim.NO_TICKET;
        if (returns(request.claim(), now)) {
            ticket = request.claim().ticket();
        }
        boolean early = closed();
        long position = early ? 0 : waitQueue.size() + 1;
        long estimate = early ? untilOpening(now) : rules.estimate(position, sessions.hold(rules));
        long retry = rules.comeBack(position, now + wallAhead);
        return new AdmissionDecision(Kind.DEFERRED, 0, estimate, retry, ticket, 0, 0, false, snapshot(now));
    }

    private boolean taken(AdmissionRequest request, long now) {
        String opened = openers.get(request.credential(), now);
        return opened != null && !opened.equals(request.session());
    }

    private void rememberOpener(AdmissionRequest request, long now) {
        if (!request.credential().isEmpty()) {
            openers.put(request.credential(), request.session(), now + RoomRules.CREDENTIAL_MEMORY);
        }
    }

    private long ticket(AdmissionRequest request, long now) {
        TenantShare share = request.share();
        if (restores(request.claim(), now)) {
            tickets.restored(share, request.claim().ticket());
            return request.claim().ticket();
        }
        if (closed()) {
            return tickets.shuffled(request.session(), rules.opens());
        }
        if (!share.tenant().isEmpty()) {
            return tickets.fair(share, now, waitQueue.size() == 0);
        }
        boolean promised = returns(request.claim(), now) && request.claim().ticket() != Claim.NO_TICKET;
        // Behind those that were drawn before the opening.
        return promised ? -request.claim().ticket() : tickets.inOrder(Math.max(now, rules.opens()));
    }

    /** Returns whether the claim restores a place from before a loss of memory: one that the room would have kept. */
    private boolean restores(Claim claim, long now) {
        return claim.ticket() > 0 && foreign(claim) && claim.seen() > now - rules.keep() && claim.seen() <= now;
    }

    private long retry(AdmissionRequest request, long now) {
        Long arrival = arrivals.get(request.key(), now);
        Gcra base = rules.base();
        long due = arrival == null || base == null ? 0 : base.wait(arrival, now);
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
