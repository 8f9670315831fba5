package dev.postern.auth.spend.store;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.core.transport.ConnectErrorReason;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Server of a ledger's store: admits spends by a limit and a circuit breaker, records how the server responded to them, and describes its
 * state for the operator. Subclasses hold the connection. Thread-safe.
 */
public abstract class StoreServer {

    private final String name;
    private final StoreResources resources;
    private final StoreCircuitBreaker breaker;

    /** Why there is no connection; empty if unknown. */
    private volatile String trouble = "";

    /** @param name of the server in logs, meters and status pages */
    protected StoreServer(String name, StoreResources resources) {
        this.name = name;
        this.resources = resources;
        this.breaker = new StoreCircuitBreaker(name, resources.deadline());
    }

    /** Returns whether spends may be sent: the server is connected, and its epoch marker is verified. */
    public abstract boolean ready();

    /** Reads all responses that have arrived by now, then runs the continuation on the loop. */
    public abstract void readReplies(EventLoop loop, Runnable continuation);

    /** Returns a short text of the state of the connection; null when there is none. */
    protected abstract @Nullable String connectionState();

    /** Takes that a spend was settled by a response of the server. */
    protected void succeeded() {}

    /** Takes that a spend was not settled by a response of the server in time. */
    protected void failed() {}

    /** Admits a spend to a server that is ready, or completes the spend as UNKNOWN. Returns whether the spend must be sent now. */
    protected final boolean admit(InFlightLimit limit, SpendListener listener) {
        if (!limit.enter()) {
            CompletedSpend.notify(listener, CompletedSpend.BUSY);
            return false;
        }
        if (!breaker.tryEnter()) {
            limit.leave();
            CompletedSpend.notify(listener, CompletedSpend.UNKNOWN);
            return false;
        }
        return true;
    }

    /** Records that a spend was settled before its deadline. */
    public final void heard(StoreReply reply) {
        if (reply == StoreReply.LOST || reply == StoreReply.UNSENT) {
            timedOut();
        } else {
            breaker.good();
            succeeded();
        }
    }

    /** Records that a spend was not settled before its deadline. */
    public final void timedOut() {
        breaker.bad();
        failed();
    }

    final void knowSpent(Redemption redemption) {
        resources.spent().add(redemption.key());
    }

    /** Records that a spend was settled after its deadline. */
    final void late() {
        resources.meters().late();
    }

    /** Returns the maximum time that a spend waits for the server. */
    public final long deadlineNanos() {
        return resources.deadline().toNanos();
    }

    public final String name() {
        return name;
    }

    public final StoreCircuitBreaker breaker() {
        return breaker;
    }

    protected final StoreResources resources() {
        return resources;
    }

    /** Sets why there is no connection, in words for the operator; empty if unknown. */
    protected final void trouble(String reason) {
        trouble = reason;
    }

    /** Sets why there is no connection, if the reason is unknown. */
    protected final void troubleIfUnknown(String reason) {
        if (trouble.isEmpty()) {
            trouble = reason;
        }
    }

    /** Returns a short text of the state of the connection and the circuit breaker, for the operator. */
    public final String state() {
        return contact() + ", breaker " + breaker.state();
    }

    /** Returns a short text of the state of the connection. */
    public final String contact() {
        String state = connectionState();
        if (state != null) {
            return state;
        }
        String reason = trouble;
        return reason.isEmpty() ? "not connected" : "not connected: " + reason;
    }

    /** Returns whether {@link #contact} names a cause. */
    public final boolean explained() {
        String reason = trouble;
        return !reason.isEmpty() && !reason.equals(ConnectErrorReason.LOST) || connectionState() != null;
    }
}
