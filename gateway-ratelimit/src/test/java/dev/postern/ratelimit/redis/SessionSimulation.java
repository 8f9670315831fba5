package dev.postern.ratelimit.redis;

import dev.postern.core.testing.SessionSpans;
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
import java.util.List;
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
    private final AtomicLong requested = new AtomicLong();
    private final AtomicLong responded = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final Set<Kind> kinds = ConcurrentHashMap.newKeySet();
    private final SessionSpans spans = new SessionSpans();
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

    /** Returns the number of requests that wait for a response. */
    long pending() {
        return requested.get() - responded.get();
    }

    /** Returns the number of requests with a response of the store. */
    long responded() {
        return responded.get();
    }

    /** Returns the number of requests that the store did not decide. */
    long unknown() {
        return unknown.get();
    }

    Set<Kind> kinds() {
        return kinds;
    }

    /** Returns the largest number of sessions between their first and their last served request at any instant. */
    int peak() {
        return spans.peak();
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
            long start = System.nanoTime();
            long now = Micros.of(InstantSource.system());
            node.cache().sweep(now, pass -> renew(node, pass));
            CachedPass pass = node.cache().find(room, session(), now);
            if (pass != null) {
                use(pass, now, start);
                schedule();
                return;
            }
            requested.incrementAndGet();
            CachedPass unconfirmed = node.cache().lasting(room, session(), now);
            Claim held = unconfirmed == null ? claim : unconfirmed.claim();
            AdmissionRequest request = new AdmissionRequest(Intent.ENTER, session(), "all", held, "", TenantShare.NONE);
            node.store().decide(room, request, loop, decision -> {
                node.cache().note(room, session(), decision, now);
                responded.incrementAndGet();
                learn(node, decision);
                schedule();
            });
        }

        private void learn(StoreNode node, AdmissionDecision decision) {
            long start = System.nanoTime();
            kinds.add(decision.kind());
            if (decision.kind() == Kind.UNKNOWN) {
                unknown.incrementAndGet();
            }
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
                use(pass, now, start);
            } else if (written && !node.cache().hasEnded(room, session(), claim, now)) {
                use(node.cache().take(room, session(), claim, last.now(), now), now, start);
            } else if (admitted && decision.kind() == Kind.WAITING) {
                leave(); // the pass has ended: the next session is another one
            }
            if (decision.kind() != Kind.UNKNOWN) {
                AdmissionDecision.Snapshot seen = decision.room();
                claim = new Claim(seen.epoch(), decision.ticket(), seen.now(), decision.end(), decision.hard());
            }
        }

        /** @param start time in nanoseconds; the pass was found valid between it and the present: this thread may have been stopped since */
        private void use(CachedPass pass, long now, long start) {
            served.incrementAndGet();
            pass.begin(now);
            pass.end(now);
            if (!admitted) {
                admitted = true;
                admissions.incrementAndGet();
            }
            spans.note(session(), start, System.nanoTime());
        }

        private void leave() {
            admitted = false;
            generation++;
            claim = Claim.NONE;
        }

        private void schedule() {
            loop.schedule(this::sendRequest, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
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
