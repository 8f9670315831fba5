package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.Refunds;
import dev.postern.auth.spend.store.StoreResources;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Ledger in memcached: sends one {@code add} per token, to the server of its key or, with copies, to several servers in turn. */
public final class MemcachedLedger implements SpendLedger {

    private static final long MAINTAIN_EVERY_MILLIS = 50;

    private final InstantSource clock;
    private final long deadlineNanos;
    private final MemcachedServers servers;
    private final StoreResources resources;
    private final Refunds<PendingAdd> refunds;
    private final int copies;

    MemcachedLedger(
            LedgerSettings settings,
            StoreResources resources,
            MemcachedEncoding encoding,
            InstantSource clock,
            MemcachedConnections connections) {
        this.clock = clock;
        this.resources = resources;
        this.deadlineNanos = settings.deadline().toNanos();
        this.copies = Math.min(
                settings.memcached().copies(), settings.memcached().servers().size());
        this.servers = new MemcachedServers(
                settings.memcached(),
                resources,
                encoding,
                connections,
                copies > 1 && settings.whenForgotten() == WhenForgotten.ROLL);
        this.refunds = new Refunds<>(
                resources,
                new MemcachedRefundCommand(encoding, resources.scheduler().ticker()));
    }

    /**
     * Opens the ledger and waits at most one second until the epoch markers of all servers are verified. Not for event loops.
     *
     * @param connections creates the connections of a client
     */
    public static MemcachedLedger open(
            LedgerSettings settings,
            LedgerEnvironment environment,
            Function<MemcachedEncoding, MemcachedConnections> connections) {
        StoreResources resources = StoreResources.open(
                MemcachedServers.marked(settings.memcached()),
                settings,
                environment.registry(),
                environment.clock(),
                environment.ticker());
        MemcachedEncoding encoding = new MemcachedEncoding(environment.namespace(), environment.clock());
        MemcachedLedger ledger =
                new MemcachedLedger(settings, resources, encoding, environment.clock(), connections.apply(encoding));
        LedgerScheduler scheduler = resources.scheduler();
        scheduler.start(
                () -> ledger.servers.maintain(scheduler.nanos()),
                MAINTAIN_EVERY_MILLIS,
                () -> ledger.health().healthy());
        return ledger;
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        if (redemption.acceptedUntil().toEpochMilli() <= clock.millis()) {
            // The server may have forgotten an expired token already, so the token must not be FRESH.
            CompletedSpend.notify(listener, CompletedSpend.SPENT);
            return;
        }
        resources.state().asked(redemption.acceptedUntil());
        EpochState.View view = resources.state().view();
        Redemption inEpoch = redemption.epoch().length > 0 ? redemption : redemption.in(view.epoch());
        if (copies == 1) {
            ask(servers.owner(inEpoch.key()), inEpoch, loop, deadlineNanos, listener);
            return;
        }
        int[] deciders = deciders(inEpoch, view);
        if (deciders.length == 0) {
            CompletedSpend.notify(listener, CompletedSpend.UNKNOWN);
            return;
        }
        // Each server gets an equal share of the deadline, so the oldest spend of a connection is always due first.
        long share = deadlineNanos / deciders.length;
        List<ReplicatedSpend.SpendStep> steps = Arrays.stream(deciders)
                .mapToObj(server -> (ReplicatedSpend.SpendStep) next -> ask(server, inEpoch, loop, share, next))
                .toList();
        new ReplicatedSpend(steps, loop.ticker(), listener).begin();
    }

    private void ask(int server, Redemption redemption, EventLoop loop, long nanos, SpendListener listener) {
        servers.handle(server, redemption.key(), loop)
                .spend(redemption, loop, loop.ticker().nanoTime() + nanos, listener);
    }

    /** Returns the servers that decide about a token; none if the token has another epoch, since the deciders of that epoch are unknown. */
    private int[] deciders(Redemption redemption, EpochState.View view) {
        boolean bound = view.epoch().length > 0 && redemption.keyBegan() == null;
        if (bound && !Arrays.equals(redemption.epoch(), view.epoch())) {
            return new int[0];
        }
        return Arrays.stream(servers.owners(redemption.key(), copies))
                .filter(server -> !bound || !view.leftOut()[server])
                .toArray();
    }

    @Override
    public boolean knownSpent(byte[] key) {
        return resources.spent().contains(key);
    }

    @Override
    public void refund(PendingSpend pendingSpend) {
        if (pendingSpend instanceof ReplicatedSpend several) {
            several.spends().forEach(this::refund);
        } else if (pendingSpend instanceof PendingAdd one) {
            refunds.add(one);
        }
    }

    @Override
    public byte[] epoch() {
        return resources.state().epoch().clone();
    }

    @Override
    public LedgerHealth health() {
        return servers.health();
    }

    @Override
    public List<StoreConnectionInfo> connections() {
        return servers.connectionInfo();
    }

    @Override
    public void close() {
        resources.scheduler().close();
        servers.close();
    }

    /** Returns the servers, for tests. */
    MemcachedServers servers() {
        return servers;
    }

    EpochState state() {
        return resources.state();
    }
}
