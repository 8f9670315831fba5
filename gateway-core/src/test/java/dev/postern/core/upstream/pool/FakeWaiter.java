package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.upstream.connect.FakeStream;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Preemption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waiter that notes what it gets. */
final class FakeWaiter implements ConnectionPool.Waiter {

    private final List<String> events = new ArrayList<>();
    private @Nullable ConnectionLease lease;
    private AddressPrefix network = network(1);
    private Activity activity = new Activity(Activity.Kind.UPSTREAM, 0);
    private @Nullable ProxyProtocolSource source;
    private Runnable whenPreempted = () -> {};
    private boolean active = true;
    private boolean fresh;
    private boolean unrepeatable;

    /** Returns one of the client networks, 10.0.0.N. */
    static AddressPrefix network(int number) {
        return new AddressPrefix(false, 32, (10L << 24 | number) << 32);
    }

    // ---- what a test sets

    FakeWaiter of(int clientNetwork) {
        network = network(clientNetwork);
        return this;
    }

    FakeWaiter fresh(boolean value) {
        fresh = value;
        return this;
    }

    FakeWaiter unrepeatable(boolean value) {
        unrepeatable = value;
        return this;
    }

    FakeWaiter from(ProxyProtocolSource client) {
        source = client;
        return this;
    }

    FakeWaiter doing(Activity.Kind kind, long nanos) {
        activity = new Activity(kind, nanos);
        return this;
    }

    /** Does something of its own while it is ended for another exchange. */
    FakeWaiter whenPreempted(Runnable action) {
        whenPreempted = action;
        return this;
    }

    /** Has its response, and will leave. */
    void stopWanting() {
        active = false;
    }

    // ---- what a test reads

    static List<String> results(List<FakeWaiter> waiters) {
        return waiters.stream().map(FakeWaiter::result).toList();
    }

    /** Returns all that the waiter got: {@code #1}, {@code #1 reused}, a refusal, {@code preempted}; or {@code waits}. */
    String result() {
        return events.isEmpty() ? "waits" : String.join(", ", events);
    }

    ConnectionLease lease() {
        if (lease == null) {
            throw new IllegalStateException("lease: " + result() + " (expected: one)");
        }
        return lease;
    }

    FakeStream stream() {
        return (FakeStream) lease().stream();
    }

    // ---- the pool's side

    @Override
    public void acquired(ConnectionLease given, long now) {
        lease = given;
        stream().begin();
        events.add(stream().name() + (given.reused() ? " reused" : ""));
    }

    @Override
    public void refused(Refusal refusal, @Nullable Endpoint failed) {
        events.add(refusal.code() + (failed == null ? "" : " of " + failed.name()));
    }

    @Override
    public boolean active() {
        return active;
    }

    @Override
    public boolean fresh() {
        return fresh;
    }

    @Override
    public boolean unrepeatable() {
        return unrepeatable;
    }

    @Override
    public long key() {
        return 0;
    }

    @Override
    public @Nullable ProxyProtocolSource source() {
        return source;
    }

    @Override
    public AddressPrefix network() {
        return network;
    }

    @Override
    public Activity activity(long now) {
        return activity;
    }

    @Override
    public void preempted(Preemption cause) {
        events.add("preempted " + cause.label());
        whenPreempted.run();
        stream().lose();
    }
}
