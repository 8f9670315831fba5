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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** The ledger in memcached: one {@code add} per token, to the one server that keeps its key or to one after the other that do. */
public final class MemcachedLedger implements SpendLedger {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long TEND_EVERY_MILLIS = 50;
    private static final long START_NANOS = 1_000_000_000;

    private final InstantSource clock;
    private final long deadlineNanos;
    private final Servers servers;
    private final Link.Tools tools;
    private final GiveBacks giveBacks;
    private final int copies;
    private final LoopLocal<LoopSide> sides = new LoopLocal<>(LoopSide::new);

    private MemcachedLedger(LedgerSettings settings, Link.Tools tools, InstantSource clock) {
        this.clock = clock;
        this.tools = tools;
        this.deadlineNanos = settings.deadline().toNanos();
        this.copies = Math.min(
                settings.memcached().copies(), settings.memcached().servers().size());
        this.servers =
                new Servers(settings.memcached(), tools, copies > 1 && settings.whenForgotten() == WhenForgotten.ROLL);
        this.giveBacks = new GiveBacks(tools);
    }

    /** Opens it and waits at most a second until all servers showed their marks. Not for event loops. */
    public static MemcachedLedger open(
            LedgerSettings settings, String namespace, MeterRegistry registry, InstantSource clock) {
        Link.Tools tools = new Link.Tools(
                new Marks(Servers.marked(settings.memcached()), settings.whenForgotten(), clock),
                new KeyText(namespace),
                new KnownSpent(),
                new LedgerMeters(registry),
                new Tender());
        MemcachedLedger ledger = new MemcachedLedger(settings, tools, clock);
        tools.tender().every(ledger.servers::tend, TEND_EVERY_MILLIS);
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
            ask(servers.ring().owner(text), question, deadline, listener);
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
        servers.link(server, of.redemption.key())
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
        return Arrays.stream(servers.ring().owners(of.text, copies))
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
        return servers.health();
    }

    @Override
    public void close() {
        tools.tender().close();
        servers.close();
    }

    /** The way to the server that is asked first about the key. */
    Link link(byte[] key, byte[] text) {
        return servers.link(servers.ring().owner(text), key);
    }

    Marks marks() {
        return tools.marks();
    }

    private static byte[] newMark() {
        byte[] mark = new byte[KeyText.MARK_LENGTH];
        ThreadLocalRandom random = ThreadLocalRandom.current();
        WORD.set(mark, 0, random.nextLong());
        WORD.set(mark, Long.BYTES, random.nextLong());
        return mark;
    }
}
