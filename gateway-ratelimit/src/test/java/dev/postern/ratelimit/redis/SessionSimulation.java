package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.TenantShare;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.RoomKey;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Simulates many sessions that send requests to all nodes in turn, as the handler does: first to the node's pass cache, then to the store.
 * Counts the served sessions, as an origin would: a session is active from its first to its last served request.
 */
final class SessionSimulation {

    private static final long PERIOD_MILLIS = 40;

    private final RoomKey room;
    private final int size;
    private final AtomicLong admissions = new AtomicLong();
    private final AtomicLong served = new AtomicLong();
    private final AtomicLong slowest = new AtomicLong();
    private final AtomicLong maxLateness = new AtomicLong();
    private final AtomicLong requested = new AtomicLong();
    private final AtomicLong responded = new AtomicLong();
    private final Set<Kind> kinds = ConcurrentHashMap.newKeySet();
    private final Map<String, long[]> intervals = new HashMap<>();
    private volatile boolean stopped;

    SessionSimulation(RoomKey room, int size) {
        this.room = room;
        this.size = size;
    }

    void start(List<StoreNode> nodes, EventLoopGroup loops) {
        for (int i = 0; i < size; i++) {
            Client client = new Client("p" + i, nodes, loops.next());
            client.loop.schedule(client::sendRequest, i, TimeUnit.MILLISECONDS);
        }
    }

    void stop() {
        stopped = true;
    }

    long admissions() {
        return admissions.get();
    }

    long servedFromPasses() {
        return served.get();
    }

    long slowestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(slowest.get());
    }

    /** Returns how late the maxLateness timer ran. */
    long latestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(maxLateness.get());
    }

    long pending() {
        return requested.get() - responded.get();
    }

    Set<Kind> kinds() {
        return kinds;
    }

    private synchronized void serve(String session) {
        long now = System.nanoTime();
        intervals.computeIfAbsent(session, name -> new long[] {now, now})[1] = now;
    }

    /** Returns the largest number of sessions between their first and their last served request at any instant. */
    synchronized int peak() {
        List<long[]> changes = new ArrayList<>();
        for (long[] interval : intervals.values()) {
            changes.add(new long[] {interval[0], 1});
            changes.add(new long[] {interval[1], -1});
        }
        changes.sort(Comparator.comparingLong((long[] change) -> change[0]).thenComparingLong(change -> -change[1]));
        int current = 0;
        int peak = 0;
        for (long[] change : changes) {
            current += (int) change[1];
            peak = Math.max(peak, current);
        }
        return peak;
    }

    private final class Client {

        private final String name;
        private final List<StoreNode> nodes;
        private final EventLoop loop;
        private int generation;
        private int turn;
        private Claim claim = Claim.NONE;
        private boolean admitted;

        Client(String name, List<StoreNode> nodes, EventLoop loop) {
            this.name = name;
            this.nodes = nodes;
            this.loop = loop;
        }

        private void sendRequest() {
            if (stopped) {
                return;
            }
            StoreNode node = nodes.get(turn++ % nodes.size());
            long now = Micros.of(InstantSource.system());
            node.cache().sweep(now, pass -> renew(node, pass));
            CachedPass pass = node.cache().find(room, session(), now);
            if (pass != null) {
                use(pass, now);
                schedule();
                return;
            }
            requested.incrementAndGet();
            long start = System.nanoTime();
            CachedPass unconfirmed = node.cache().lasting(room, session(), now);
            Claim held = unconfirmed == null ? claim : unconfirmed.claim();
            AdmissionRequest request = new AdmissionRequest(Intent.ENTER, session(), "all", held, "", TenantShare.NONE);
            node.store().decide(room, request, loop, decision -> {
                node.cache().note(room, session(), decision, now);
                responded.incrementAndGet();
                slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                learn(node, decision);
                schedule();
            });
        }

        private void learn(StoreNode node, AdmissionDecision decision) {
            kinds.add(decision.kind());
            AdmissionDecision.Snapshot last = node.store().known(room);
            boolean written = decision.kind() == Kind.UNKNOWN
                    && last.epoch() != 0
                    && last.epoch() == claim.epoch()
                    && claim.end() > last.now();
            long now = Micros.of(InstantSource.system());
            CachedPass pass = decision.kind() == Kind.UNKNOWN
                    ? node.cache().lasting(room, session(), now)
                    : node.cache().find(room, session(), now);
            if (pass != null) {
                use(pass, now);
            } else if (written) {
                passed();
            } else if (admitted && decision.kind() == Kind.WAITING) {
                leave(); // the pass has ended: the next session is another one
            }
            if (decision.kind() != Kind.UNKNOWN) {
                AdmissionDecision.Snapshot seen = decision.room();
                claim = new Claim(seen.epoch(), decision.ticket(), seen.now(), decision.end(), decision.hard());
            }
        }

        private void use(CachedPass pass, long now) {
            served.incrementAndGet();
            pass.begin(now);
            pass.end(now);
            passed();
        }

        private void passed() {
            if (!admitted) {
                admitted = true;
                admissions.incrementAndGet();
            }
            serve(session());
        }

        private void leave() {
            admitted = false;
            generation++;
            claim = Claim.NONE;
        }

        private void schedule() {
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);
            loop.schedule(
                    () -> {
                        maxLateness.accumulateAndGet(System.nanoTime() - due, Math::max);
                        sendRequest();
                    },
                    PERIOD_MILLIS,
                    TimeUnit.MILLISECONDS);
        }

        private void renew(StoreNode node, CachedPass pass) {
            long now = Micros.of(InstantSource.system());
            AdmissionRequest request = AdmissionRequest.of(Intent.RENEW, pass.session(), pass.claim());
            node.store()
                    .decide(room, request, loop, decision -> node.cache().note(room, pass.session(), decision, now));
        }

        private String session() {
            return name + "-" + generation;
        }
    }
}
