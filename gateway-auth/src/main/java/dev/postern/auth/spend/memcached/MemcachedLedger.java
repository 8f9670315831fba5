package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.LedgerHealth;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.remote.Fate;
import dev.postern.auth.spend.remote.KnownSpent;
import dev.postern.auth.spend.remote.LedgerMeters;
import dev.postern.auth.spend.remote.LoopSide;
import dev.postern.auth.spend.remote.Marks;
import dev.postern.auth.spend.remote.Telling;
import dev.postern.auth.spend.remote.Tender;
import dev.postern.core.transport.LoopLocal;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The ledger in memcached: one {@code add} per token, to the one server that keeps its key or to one after the other that do. */
public final class MemcachedLedger implements SpendLedger {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long TEND_EVERY_MILLIS = 50;
    private static final long START_NANOS = 1_000_000_000;

    private final InstantSource clock;
    private final long deadlineNanos;
    private final Ring ring;
    private final List<List<Link>> links = new ArrayList<>();
    private final Link.Tools tools;
    private final GiveBacks giveBacks;
    private final int copies;
    private final boolean leavesOut;
    private final Attendance attendance;
    private final MarkRegister register;
    private final LoopLocal<LoopSide> sides = new LoopLocal<>(LoopSide::new);

    private MemcachedLedger(LedgerSettings settings, Link.Tools tools, InstantSource clock) {
        this.clock = clock;
        this.tools = tools;
        this.deadlineNanos = settings.deadline().toNanos();
        // Sorted, so that gateways that list them in another order make the same epoch of their marks.
        List<String> names = settings.memcached().servers().stream().sorted().toList();
        this.ring = new Ring(names);
        for (int i = 0; i < names.size(); i++) {
            List<Link> ofServer = new ArrayList<>();
            for (int j = 0; j < settings.memcached().connections(); j++) {
                ofServer.add(new Link(server(names.get(i), i, j == 0), tools));
            }
            links.add(ofServer);
        }
        this.giveBacks = new GiveBacks(tools);
        this.copies = Math.min(settings.memcached().copies(), names.size());
        this.leavesOut = copies > 1 && settings.whenForgotten() == WhenForgotten.ROLL;
        this.attendance = new Attendance(tools.marks(), names.size(), System.nanoTime());
        this.register = new MarkRegister(names, tools);
        tools.meters().inFlight(this::inFlight);
    }

    /** Opens it and waits at most a second until all servers showed their marks. Not for event loops. */
    public static MemcachedLedger open(
            LedgerSettings settings, String namespace, MeterRegistry registry, InstantSource clock) {
        Link.Tools tools = new Link.Tools(
                new Marks(settings.memcached().servers().size(), settings.whenForgotten(), clock),
                new KeyText(namespace),
                new KnownSpent(),
                new LedgerMeters(registry),
                new Tender());
        MemcachedLedger ledger = new MemcachedLedger(settings, tools, clock);
        tools.tender().every(ledger::tend, TEND_EVERY_MILLIS);
        long end = System.nanoTime() + START_NANOS;
        while (!ledger.health().healthy() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        return ledger;
    }

    @Override
    public void spend(Redemption redemption, EventLoop loop, SpendListener listener) {
        Instant now = clock.instant();
        if (!redemption.acceptedUntil().isAfter(now) || tools.known().contains(redemption.key())) {
            // What can't be accepted any more may be forgotten already, so nobody could say that it is fresh.
            Telling.tell(listener, Telling.SPENT);
            return;
        }
        tools.marks().asked(redemption.acceptedUntil());
        Marks.View view = tools.marks().view();
        byte[] epoch = redemption.epoch().length > 0 ? redemption.epoch() : view.epoch();
        byte[] text = tools.keys().of(redemption.key());
        Question question = new Question(redemption, text, epoch, now, sides.get(loop));
        long deadline = System.nanoTime() + deadlineNanos;
        if (copies == 1) {
            ask(ring.owner(text), question, deadline, listener);
            return;
        }
        List<CopiedSpend.Way> deciders = deciders(question, view).stream()
                .map(server -> (CopiedSpend.Way) told -> ask(server, question, deadline, told))
                .toList();
        if (deciders.isEmpty()) {
            Telling.tell(listener, Telling.UNKNOWN);
        } else {
            new CopiedSpend(deciders, listener).begin();
        }
    }

    /** A token on its way to one server or several. */
    private record Question(Redemption redemption, byte[] text, byte[] epoch, Instant now, LoopSide side) {}

    private void ask(int server, Question of, long deadlineNanos, SpendListener listener) {
        byte[] mark = newMark();
        link(server, of.redemption.key())
                .spend(
                        new SpendCommand.Request(of.redemption, of.text, of.epoch, mark, of.side),
                        tools.keys().add(of.text, of.redemption.acceptedUntil(), of.now, mark),
                        deadlineNanos,
                        listener);
    }

    /** Whose word counts for such a token: none where its epoch is another one, since that one's deciders are not known here. */
    private List<Integer> deciders(Question of, Marks.View view) {
        boolean bound = view.epoch().length > 0 && of.redemption.keyBegan() == null;
        if (bound && !Arrays.equals(of.epoch, view.epoch())) {
            return List.of();
        }
        return Arrays.stream(ring.owners(of.text, copies))
                .filter(server -> !bound || !view.leftOut()[server])
                .boxed()
                .toList();
    }

    @Override
    public boolean knownSpent(byte[] key) {
        return tools.known().contains(key);
    }

    @Override
    public void giveBack(SpendAttempt attempt) {
        if (attempt instanceof CopiedSpend several) {
            several.attempts().forEach(this::giveBack);
        } else if (attempt instanceof SpendCommand command) {
            Fate fate = command.fate();
            if (fate == null || fate == Fate.STORED || fate == Fate.LOST) {
                giveBacks.add(command);
            }
        }
    }

    @Override
    public byte[] epoch() {
        return tools.marks().epoch().clone();
    }

    @Override
    public LedgerHealth health() {
        Map<String, String> stores = new TreeMap<>();
        boolean healthy = true;
        for (List<Link> ofServer : links) {
            for (Link link : ofServer) {
                boolean ready = link.readyPipe() != null;
                healthy &= ready;
                if (!ready || link.server().first()) {
                    stores.put(link.server().name(), link.state());
                }
            }
        }
        return new LedgerHealth(healthy, stores);
    }

    @Override
    public void close() {
        tools.tender().close();
        links.forEach(ofServer -> ofServer.forEach(Link::close));
    }

    /** The way to that server; of its connections each key has its own. */
    private Link link(int server, byte[] key) {
        List<Link> ofServer = links.get(server);
        return ofServer.get(Math.floorMod(key[0], ofServer.size()));
    }

    /** The way to the server that is asked first about the key. */
    Link link(byte[] key, byte[] text) {
        return link(ring.owner(text), key);
    }

    Marks marks() {
        return tools.marks();
    }

    private void tend() {
        long now = System.nanoTime();
        List<@Nullable Pipe> pipes = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            links.get(i).forEach(Link::tend);
            Link first = links.get(i).get(0);
            pipes.add(first.readyPipe());
            if (leavesOut) {
                attendance.look(i, first.server().name(), pipes.get(i) != null, now);
            }
        }
        register.tend(pipes);
    }

    private int inFlight() {
        return links.stream().flatMap(List::stream).mapToInt(Link::inFlight).sum();
    }

    private static byte[] newMark() {
        byte[] mark = new byte[KeyText.MARK_LENGTH];
        ThreadLocalRandom random = ThreadLocalRandom.current();
        WORD.set(mark, 0, random.nextLong());
        WORD.set(mark, Long.BYTES, random.nextLong());
        return mark;
    }

    private static Link.Server server(String name, int index, boolean first) {
        int colon = name.lastIndexOf(':');
        try {
            String host = name.substring(0, Math.max(colon, 0));
            int port = Integer.parseInt(name.substring(colon + 1));
            if (host.isEmpty() || port < 1 || port > 65_535) {
                throw new NumberFormatException();
            }
            return new Link.Server(name, host, port, index, first);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("servers: " + name + " (expected: host:port)", e);
        }
    }
}
