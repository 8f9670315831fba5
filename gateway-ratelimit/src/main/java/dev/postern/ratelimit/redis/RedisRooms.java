package dev.postern.ratelimit.redis;

import dev.postern.core.metrics.Meters;
import dev.postern.core.pace.Gcra;
import dev.postern.core.transport.LoopLocal;
import dev.postern.ratelimit.queue.Controls;
import dev.postern.ratelimit.queue.Decision;
import dev.postern.ratelimit.queue.Decision.Snapshot;
import dev.postern.ratelimit.queue.Visit;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassMirror;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rooms and limits in Redis, shared by all replicas.
 *
 * <p>While Redis is away or slow, questions to rooms are answered UNKNOWN within the deadline, and plain limits by this node's share of the
 * rate. When a room turns out to have lost its memory, this node first writes back the live passes it knows; until all nodes have, or one
 * idle time has passed, the script admits nobody new.
 */
public final class RedisRooms implements RoomStore, Caller.Calls {

    /** Questions that wait for Redis at once, on all loops together. */
    private static final int MOST_IN_FLIGHT = 16_384;

    /** Rooms that one node asks for news in a second. */
    private static final int MOST_QUIET = 256;

    private static final long RETRY = 1_000_000;

    private final RedisSettings settings;
    private final InstantSource clock;
    private final RoomStore local;
    private final RedisLink link;
    private final Keys keys;
    private final KnownRooms known = new KnownRooms();
    private final Resync resync;
    private final LoopLocal<Caller> callers;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final EventLoop home;
    private final Future<?> listening;
    private final Timer answered;
    private final Timer unanswered;
    private final Timer late;

    /**
     * @param mirror the passes that this node knows
     * @param local decides plain limits while Redis is away; stays open
     */
    public RedisRooms(
            RedisSettings settings,
            io.netty.channel.EventLoopGroup loops,
            InstantSource clock,
            MeterRegistry registry,
            PassMirror mirror,
            RoomStore local) {
        this.settings = settings;
        this.clock = clock;
        this.local = local;
        this.keys = new Keys(settings.prefix());
        this.link = new RedisLink(settings, loops);
        long deadline = settings.deadline().toNanos();
        this.callers = new LoopLocal<>(loop -> new Caller(loop, link, this, deadline));
        this.resync = new Resync(mirror, clock);
        this.home = loops.next();
        this.listening = home.scheduleAtFixedRate(this::listen, 1, 1, TimeUnit.SECONDS);
        this.answered = Meters.ROOM_CALL.timer(registry, "answered");
        this.unanswered = Meters.ROOM_CALL.timer(registry, "unanswered");
        this.late = Meters.ROOM_CALL.timer(registry, "late");
    }

    @Override
    public void visit(RoomKey room, Visit visit, EventLoop loop, Consumer<Decision> answer) {
        ask(Question.visit(room, visit, answer), loop);
    }

    @Override
    public void limit(String key, Gcra rate, EventLoop loop, Consumer<Decision> answer) {
        Gcra share =
                new Gcra(rate.intervalMicros() * settings.replicas(), rate.toleranceMicros() * settings.replicas());
        Consumer<Decision> orLocal = decision -> {
            if (decision.kind() == Decision.Kind.UNKNOWN) {
                local.limit(key, share, loop, answer);
            } else {
                answer.accept(decision);
            }
        };
        ask(Question.limit(key, rate, orLocal), loop);
    }

    @Override
    public void revoke(RoomKey room, String session, EventLoop loop) {
        ask(Question.order(room, "REVOKE", session, decision -> {}), loop);
    }

    @Override
    public void control(RoomKey room, UnaryOperator<Controls> change, EventLoop loop, Consumer<Controlled> told) {
        look(room, loop, before -> {
            known.want(room, change, Micros.of(clock));
            look(room, loop, after -> {
                boolean stored = after.kind() != Decision.Kind.UNKNOWN;
                told.accept(new Controlled(known.controls(room.id()), stored));
            });
        });
    }

    /** Notices also in rooms where nobody asks anything that their memory is lost, so that the others need not wait for this node. */
    private void listen() {
        for (RoomKey room : known.quiet(Micros.of(clock), MOST_QUIET)) {
            look(room, home, seen -> {});
        }
    }

    /** Lets the room and this node tell each other what operators want. */
    private void look(RoomKey room, EventLoop loop, Consumer<Decision> answer) {
        ask(Question.order(room, "LOOK", "", answer), loop);
    }

    @Override
    public Snapshot known(RoomKey room) {
        return known.room(room, Micros.of(clock));
    }

    @Override
    public List<RoomState> rooms() {
        return known.states(Micros.of(clock));
    }

    @Override
    public boolean healthy() {
        return link.healthy();
    }

    @Override
    public void close() {
        listening.cancel(false);
        link.close();
    }

    private void ask(Question question, EventLoop loop) {
        if (inFlight.incrementAndGet() > MOST_IN_FLIGHT) {
            inFlight.decrementAndGet();
            question.answer().accept(Decision.unknown(RETRY));
            return;
        }
        callers.get(loop).ask(question.on(loop));
    }

    /** All about one room; and limits together, except in a Cluster, where each key may be on another server. */
    @Override
    public String together(Question question) {
        RoomKey room = question.room();
        if (room != null) {
            return room.id();
        }
        return settings.cluster() ? "~" + question.key() : "";
    }

    @Override
    public Caller.Call prepare(List<Question> questions) {
        RoomKey room = questions.get(0).room();
        long now = Micros.of(clock);
        long deadline = settings.deadline().toNanos() / 1000;
        List<String> arguments = new ArrayList<>(Keys.HEAD + Question.FIELDS * questions.size());
        if (room != null) {
            Keys.Terms terms =
                    new Keys.Terms(known.after(room, now, deadline), known.epoch(room, now), settings.replicas());
            Keys.head(room.rules(), known.controls(room.id()), terms, arguments);
            questions.forEach(question -> arguments.addAll(question.arguments()));
            return call(Script.ROOM, keys.room(room.id()), arguments, questions, now);
        }
        // In a Cluster, one limit's server may have another clock than the next one's.
        arguments.add(Long.toString(settings.cluster() ? 0 : known.after(now, deadline)));
        String[] names = new String[questions.size()];
        for (int i = 0; i < names.length; i++) {
            Question question = questions.get(i);
            names[i] = keys.limit(question.key());
            arguments.addAll(question.arguments());
        }
        return call(Script.LIMIT, names, arguments, questions, now);
    }

    private static Caller.Call call(
            Script script, String[] keys, List<String> arguments, List<Question> questions, long now) {
        return new Caller.Call(script, keys, arguments.toArray(String[]::new), questions, now);
    }

    @Override
    public void finish(Caller.Call call, @Nullable List<Object> reply, long nanos) {
        inFlight.addAndGet(-call.questions().size());
        if (reply == null) {
            unanswered.record(nanos, TimeUnit.NANOSECONDS);
            unknown(call.questions());
            return;
        }
        boolean wasLate = call.script().equals(Script.ROOM) ? finishRoom(call, reply) : finishLimits(call, reply);
        (wasLate ? late : answered).record(nanos, TimeUnit.NANOSECONDS);
    }

    private boolean finishRoom(Caller.Call call, List<Object> numbers) {
        RoomReply reply = new RoomReply(numbers);
        Snapshot room = reply.room();
        Question first = call.questions().get(0);
        RoomKey key = first.roomOrThrow();
        if (reply.late()) {
            known.clock(key, room.now(), call.sentAt());
            unknown(call.questions());
            return true;
        }
        known.learn(key.id(), reply.controls());
        boolean forgot = known.note(key, room, call.sentAt(), Micros.of(clock));
        if (forgot || reply.frozen()) {
            resync.run(key, room.epoch(), question -> ask(question, first.loopOrThrow()));
        }
        for (Question question : call.questions()) {
            question.answer().accept(reply.decision(room));
        }
        return false;
    }

    private boolean finishLimits(Caller.Call call, List<Object> numbers) {
        known.clock((Long) numbers.get(0), call.sentAt());
        if ((Long) numbers.get(1) == 1) {
            unknown(call.questions());
            return true;
        }
        for (int i = 0; i < call.questions().size(); i++) {
            boolean allowed = (Long) numbers.get(2 + 2 * i) == 1;
            call.questions().get(i).answer().accept(Decision.limit(allowed, (Long) numbers.get(3 + 2 * i)));
        }
        return false;
    }

    private static void unknown(List<Question> questions) {
        for (Question question : questions) {
            question.answer().accept(Decision.unknown(RETRY));
        }
    }
}
