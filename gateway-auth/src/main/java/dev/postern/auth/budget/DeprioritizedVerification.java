package dev.postern.auth.budget;

import dev.postern.auth.verify.ClientPrefix;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.metrics.Meters;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.util.function.Function;

/**
 * What becomes of the tokens of a network whose budget of failures is used up: they are verified when their event loop has nothing else
 * to do, since many people may share one address, and refused unverified when it never has. Thread-safe; called on the exchange's loop.
 */
public final class DeprioritizedVerification {

    private final FailureBudget budget;
    private final EventLoopLocal<IdleTaskQueue> queues;
    private final Counter good;
    private final Counter invalid;
    private final Counter unreached;
    private final long origin = System.nanoTime();

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

    /** Whether tokens of that client are verified at once. */
    public boolean covered(Exchange exchange) {
        return !budget.exhausted(network(exchange), micros());
    }

    /** Whether a token of that client would be refused whatever it says: its budget is used up, and no more tokens may wait. */
    public boolean hopeless(Exchange exchange) {
        return queues.get(exchange.loop()).full() && !covered(exchange);
    }

    /** The exchange's token was refused without a look at it. */
    public void unread() {
        unreached.increment();
    }

    /** The exchange's token was verified at once, and was good or was not. */
    public void verified(Exchange exchange, boolean accepted) {
        if (!accepted) {
            budget.failed(network(exchange), micros());
        }
    }

    /** The same of a token that had waited for spare time. */
    public void verifiedInSpareTime(Exchange exchange, boolean accepted) {
        (accepted ? good : invalid).increment();
        verified(exchange, accepted);
    }

    /**
     * Lets the token wait for spare time.
     *
     * @param verify verifies it; not called when the client has left meanwhile
     * @param refuse called instead when there is no time for it, possibly before this returns
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
        return ClientPrefix.number(exchange.clientAddress());
    }

    private long micros() {
        return (System.nanoTime() - origin) / 1000;
    }
}
