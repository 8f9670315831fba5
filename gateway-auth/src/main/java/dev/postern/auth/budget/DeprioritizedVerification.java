package dev.postern.auth.budget;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.metrics.Meters;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Verification for client networks that exceeded their budget of failures: their tokens are verified when the event loop is idle, since
 * many clients may share one address, and refused unverified when the event loop has no idle time. Thread-safe; called on the exchange's
 * event loop.
 */
public final class DeprioritizedVerification {

    private final FailureBudget budget;
    private final EventLoopLocal<IdleTaskQueue> queues;
    private final EventLoopLocal<RefusalQueue> refusals = new EventLoopLocal<>(RefusalQueue::new);
    private final Counter good;
    private final Counter invalid;
    private final Counter unreached;

    public DeprioritizedVerification(FailureBudget budget, MeterRegistry registry) {
        this(budget, registry, IdleTaskQueue::new);
    }

    DeprioritizedVerification(FailureBudget budget, MeterRegistry registry, Function<EventLoop, IdleTaskQueue> maker) {
        this.budget = budget;
        this.queues = new EventLoopLocal<>(maker);
        this.good = Meters.TOKEN_SPARE.counter(registry, "good");
        this.invalid = Meters.TOKEN_SPARE.counter(registry, "invalid");
        this.unreached = Meters.TOKEN_SPARE.counter(registry, "unreached");
    }

    /** Returns whether tokens of that client are verified at once. */
    public boolean withinBudget(Exchange exchange) {
        return !budget.exhausted(network(exchange), micros(exchange));
    }

    /** Returns whether a token of that client would be refused unverified: the budget of its network is exceeded and the queue is full. */
    public boolean refusesUnverified(Exchange exchange) {
        return queues.get(exchange.loop()).full() && !withinBudget(exchange);
    }

    /**
     * Refuses a token unverified, behind the event loop's other exchanges.
     *
     * @param refuse not called when the exchange has ended meanwhile
     */
    public void refuse(Exchange exchange, Runnable refuse) {
        unreached.increment();
        refusals.get(exchange.loop()).add(() -> {
            if (!exchange.ended()) {
                refuse.run();
            }
        });
    }

    /** Records the result of a token that was verified at once. */
    public void verified(Exchange exchange, boolean accepted) {
        if (accepted) {
            budget.accepted(network(exchange), micros(exchange));
        } else {
            budget.failed(network(exchange), micros(exchange));
        }
    }

    /** Records the result of a token that was verified in idle time. */
    public void verifiedWhenIdle(Exchange exchange, boolean accepted) {
        (accepted ? good : invalid).increment();
        verified(exchange, accepted);
    }

    /**
     * Queues the token for idle time.
     *
     * @param verify verifies the token; not called when the exchange has ended meanwhile
     * @param refuse called instead when there is no idle time, possibly before this method returns
     */
    public void defer(Exchange exchange, Runnable verify, Runnable refuse) {
        boolean taken = queues.get(exchange.loop()).offer(new IdleTaskQueue.Work() {
            @Override
            public void run() {
                if (!exchange.ended()) {
                    verify.run();
                }
            }

            @Override
            public void late() {
                unreached.increment();
                refuse.run();
            }
        });
        if (!taken) {
            unreached.increment();
            refuse.run();
        }
    }

    private static long network(Exchange exchange) {
        return exchange.networkPrefix().number();
    }

    private static long micros(Exchange exchange) {
        return exchange.now() / 1000;
    }

    /**
     * Queue of refusals that one event loop sends behind its other work: a few in each iteration, so that the requests of a flood do not delay
     * those of others by the time that their responses take. Confined to its event loop.
     */
    static final class RefusalQueue {

        /** More than the exchanges of one iteration at the usual number of connections; beyond it, a refusal is sent at once. */
        static final int MAX = 4096;

        /** Refusals of one iteration: about 100 us. */
        static final int PER_ITERATION = 16;

        private final EventLoop loop;
        private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
        private final Runnable drain = this::drain;

        RefusalQueue(EventLoop loop) {
            this.loop = loop;
        }

        /** Queues the refusal, or runs it when the queue is full. */
        void add(Runnable refusal) {
            if (queue.size() >= MAX) {
                refusal.run();
                return;
            }
            if (queue.isEmpty()) {
                schedule();
            }
            queue.add(refusal);
        }

        private void drain() {
            for (int left = Math.min(PER_ITERATION, queue.size()); left > 0; left--) {
                queue.remove().run();
            }
            if (!queue.isEmpty()) {
                schedule();
            }
        }

        /** Schedules instead of executing: an executed task would run in the same iteration, before the sockets are read again. */
        private void schedule() {
            loop.schedule(drain, 0, TimeUnit.NANOSECONDS);
        }
    }
}
