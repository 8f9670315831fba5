package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.LedgerWire;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.store.Fate;
import dev.postern.auth.spend.store.KnownSpent;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LoopSide;
import dev.postern.auth.spend.store.Marks;
import dev.postern.auth.spend.store.Telling;
import dev.postern.auth.spend.store.Tender;
import dev.postern.core.transport.loop.LoopLocal;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The ledger in memcached: one {@code add} per token, to the one server that keeps its key or to one after the other that do. */
public final class MemcachedLedger implements SpendLedger {

    private static final long TEND_EVERY_MILLIS = 50;
    private static final long START_NANOS = 1_000_000_000;

    private final InstantSource clock;
    private final long deadlineNanos;
    private final Servers servers;
    private final Link.Tools tools;
    private final GiveBacks giveBacks;
    private final int copies;

    MemcachedLedger(LedgerSettings settings, Link.Tools tools, InstantSource clock, Connections connections) {
        this.clock = clock;
        this.tools = tools;
        this.deadlineNanos = settings.deadline().toNanos();
        this.copies = Math.min(
                settings.memcached().copies(), settings.memcached().servers().size());
        this.servers = new Servers(
                settings.memcached(), tools, connections, copies > 1 && settings.whenForgotten() == WhenForgotten.ROLL);
        this.giveBacks = new GiveBacks(tools);
    }

    /** Opens it and waits at most a second until all servers showed their marks. Not for event loops. */
    public static MemcachedLedger open(LedgerSettings settings, LedgerEnvironment environment) {
        Link.Tools tools = new Link.Tools(
                new Marks(Servers.marked(settings.memcached()), settings.whenForgotten(), environment.clock()),
                new KeyText(environment.namespace(), environment.clock()),
                new KnownSpent().bind(environment.registry()),
                new LedgerMeters(environment.registry()),
                new Tender(),
                new LoopLocal<>(LoopSide::new),
                settings.deadline());
        Connections connections = connections(settings.memcached(), tools.keys(), environment);
        MemcachedLedger ledger = new MemcachedLedger(settings, tools, environment.clock(), connections);
        tools.tender().every(() -> ledger.servers.tend(tools.tender().nanos()), TEND_EVERY_MILLIS);
        long end = System.nanoTime() + START_NANOS;
        while (!ledger.health().healthy() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        return ledger;
    }

    private static Connections connections(Memcached settings, KeyText keys, LedgerEnvironment environment) {
        return switch (settings.client()) {
            case SPYMEMCACHED -> new Connections.Shared(settings.connections(), keys);
            case NETTY -> new Connections.OfLoops(environment.loops(), keys);
        };
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        if (redemption.acceptedUntil().toEpochMilli() <= clock.millis()) {
            // What can't be accepted any more may be forgotten already, so nobody could say that it is fresh.
            Telling.tell(listener, Telling.SPENT);
            return;
        }
        tools.marks().asked(redemption.acceptedUntil());
        Marks.View view = tools.marks().view();
        Redemption of = redemption.epoch().length > 0 ? redemption : redemption.in(view.epoch());
        if (copies == 1) {
            ask(servers.owner(of.key()), of, loop, deadlineNanos, listener);
            return;
        }
        int[] deciders = deciders(of, view);
        if (deciders.length == 0) {
            Telling.tell(listener, Telling.UNKNOWN);
            return;
        }
        // Each gets its share of the time, so that on every connection the oldest spend is always due first.
        long share = deadlineNanos / deciders.length;
        List<CopiedSpend.Way> ways = Arrays.stream(deciders)
                .mapToObj(server -> (CopiedSpend.Way) told -> ask(server, of, loop, share, told))
                .toList();
        new CopiedSpend(ways, listener).begin();
    }

    private void ask(int server, Redemption of, EventLoop loop, long nanos, SpendListener listener) {
        servers.link(server, of.key(), loop).spend(of, loop, System.nanoTime() + nanos, listener);
    }

    /** Whose word counts for such a token: none where its epoch is another one, since that one's deciders are not known here. */
    private int[] deciders(Redemption of, Marks.View view) {
        boolean bound = view.epoch().length > 0 && of.keyBegan() == null;
        if (bound && !Arrays.equals(of.epoch(), view.epoch())) {
            return new int[0];
        }
        return Arrays.stream(servers.owners(of.key(), copies))
                .filter(server -> !bound || !view.leftOut()[server])
                .toArray();
    }

    @Override
    public boolean knownSpent(byte[] key) {
        return tools.known().contains(key);
    }

    @Override
    public void giveBack(SpendAttempt attempt) {
        if (attempt instanceof CopiedSpend several) {
            several.attempts().forEach(this::giveBack);
        } else if (attempt instanceof Attempt one) {
            Fate fate = one.fate();
            if (fate == null || fate == Fate.STORED || fate == Fate.LOST) {
                giveBacks.add(one);
            }
        }
    }

    @Override
    public byte[] epoch() {
        return tools.marks().epoch().clone();
    }

    @Override
    public LedgerHealth health() {
        return servers.health();
    }

    @Override
    public List<LedgerWire> wires() {
        return servers.wires();
    }

    @Override
    public void close() {
        tools.tender().close();
        servers.close();
    }

    /** For tests that look behind the ledger. */
    Servers servers() {
        return servers;
    }

    Marks marks() {
        return tools.marks();
    }
}
