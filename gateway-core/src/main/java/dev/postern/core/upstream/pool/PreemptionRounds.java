package dev.postern.core.upstream.pool;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.upstream.share.Preemption;
import dev.postern.core.upstream.share.PreemptionRule;
import dev.postern.core.upstream.share.WaitingNetworks;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rounds of preemption of one upstream. While exchanges wait, the pools of all event loops report their holders and waiters at most every
 * 100 ms; the last report of a round applies the rule, and each exchange to end is ended on its own loop. Without waiters there are no
 * rounds. Thread-safe.
 */
public final class PreemptionRounds {

    private static final long PERIOD_MILLIS = 100;

    private final Permits permits;
    private final WaitingNetworks networks;
    private final PreemptionRule rule;
    private final Permits.Listener pools;
    private final AtomicBoolean running = new AtomicBoolean();

    PreemptionRounds(Permits permits, WaitingNetworks networks, PreemptionRule rule, Permits.Listener pools) {
        this.permits = permits;
        this.networks = networks;
        this.rule = rule;
        this.pools = pools;
    }

    /**
     * Report of one pool.
     *
     * @param idle connections that no exchange holds
     * @param held exchanges with a connection or a stream
     * @param waiting network of each waiter
     * @param shared whether other loops can use what an exchange of this pool gives back
     */
    record Report(int idle, List<PreemptionRule.Held<Victim>> held, List<AddressPrefix> waiting, boolean shared) {}

    /** Victim of a round. */
    interface Victim {

        /** Ends the exchange, on its own loop, if it still holds its connection. */
        void end(Preemption cause);
    }

    /** Signals that an exchange waits; from any event loop. */
    void wanted(EventLoop loop) {
        if (running.compareAndSet(false, true)) {
            pools.report(new Round(loop));
        }
    }

    /** Round of reports, one of each pool. */
    public final class Round {

        private final EventLoop loop;
        private final Queue<Report> reports = new ConcurrentLinkedQueue<>();
        private final AtomicInteger missing = new AtomicInteger();

        private Round(EventLoop loop) {
            this.loop = loop;
        }

        /** Sets the number of pools that report, before the first does. */
        public void expect(int count) {
            missing.set(count);
        }

        void add(Report report) {
            reports.add(report);
            if (missing.decrementAndGet() == 0) {
                decide();
                loop.schedule(this::over, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private void decide() {
            if (reports.stream().anyMatch(one -> one.idle() > 0) || !permits.contended()) {
                return; // idle connections are being closed for the waiters
            }
            if (!permits.exhausted()) {
                pools.permitReturned();
                return;
            }
            Set<AddressPrefix> full = new HashSet<>();
            List<PreemptionRule.Ended<Victim>> ended = new ArrayList<>();
            for (Report domain : domains()) {
                List<AddressPrefix> waiting = withoutConnection(domain);
                if (waiting.isEmpty()) {
                    continue;
                }
                PreemptionRule.Decision<Victim> decision = rule.decide(domain.held(), waiting);
                full.addAll(decision.full());
                ended.addAll(decision.ended());
            }
            networks.full(Set.copyOf(full));
            ended.forEach(one -> one.holder().end(one.cause()));
        }

        /** Returns the waiters beyond the connections that no exchange holds, since they are being opened or closed. */
        private List<AddressPrefix> withoutConnection(Report domain) {
            List<AddressPrefix> waiting = domain.waiting();
            int free =
                    domain.shared() ? Math.max(0, permits.open() - domain.held().size()) : 0;
            return waiting.subList(Math.min(free, waiting.size()), waiting.size());
        }

        private void over() {
            running.set(false);
            if (permits.contended()) {
                wanted(loop);
            } else {
                networks.full(Set.of());
            }
        }

        /** Returns what the rule is applied to: all pools together, or each on its own where a waiter can use only its own loop's. */
        private List<Report> domains() {
            List<Report> all = List.copyOf(reports);
            if (!all.get(0).shared()) {
                return all;
            }
            return List.of(new Report(
                    0,
                    all.stream().flatMap(one -> one.held().stream()).toList(),
                    all.stream().flatMap(one -> one.waiting().stream()).toList(),
                    true));
        }
    }
}
