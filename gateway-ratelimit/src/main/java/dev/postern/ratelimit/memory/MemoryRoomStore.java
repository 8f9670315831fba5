package dev.postern.ratelimit.memory;

import dev.postern.core.rate.Gcra;
import dev.postern.core.transport.loop.EventLoopMailbox;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.PassNetworks;
import dev.postern.ratelimit.store.RoomClock;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Room store in the memory of this process.
 *
 * <p>Each room and each key belongs to one event loop, selected by its hash. Requests from another loop, and their responses, pass between
 * the loops in batches, one per pass. On the owner's loop, the callback is called before the method returns.
 */
public final class MemoryRoomStore implements RoomStore {

    /** Time between two readings of the clock without a request: a longer one is a pause of the process. */
    private static final long PERIOD_MILLIS = 250;

    private final List<Home> homes = new ArrayList<>();
    private final Map<EventLoop, EventLoopMailbox> inboxes = new HashMap<>();
    private final List<Future<?>> timers = new ArrayList<>();

    /** @param wall clock with which the times of the rooms begin, and by which rooms open */
    public MemoryRoomStore(EventLoopGroup loops, InstantSource wall) {
        RoomClock clock = new RoomClock(loops.ticker(), wall);
        timers.add(loops.next().scheduleAtFixedRate(clock::now, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        for (EventExecutor executor : loops) {
            EventLoop loop = (EventLoop) executor;
            RoomShard shard = new RoomShard(clock);
            EventLoopMailbox mailbox = new EventLoopMailbox(loop);
            homes.add(new Home(loop, shard, mailbox));
            inboxes.put(loop, mailbox);
            timers.add(loop.scheduleAtFixedRate(shard::sweep, 1, 1, TimeUnit.SECONDS));
        }
    }

    @Override
    public void decide(RoomKey room, AdmissionRequest request, EventLoop loop, Consumer<AdmissionDecision> response) {
        ask(home(room.id()), shard -> shard.decide(room, request), loop, response);
    }

    @Override
    public void limit(String key, Gcra rate, EventLoop loop, Consumer<AdmissionDecision> response) {
        ask(home(key), shard -> shard.limit(key, rate), loop, response);
    }

    /** Passes: all uses of a pass are on this node, which counts them itself ({@link PassNetworks}). */
    @Override
    public void network(CachedPass pass, String network, EventLoop loop, Consumer<AdmissionDecision> response) {
        response.accept(AdmissionDecision.limit(true, 0));
    }

    @Override
    public void revoke(RoomKey room, String session, EventLoop loop) {
        Home home = home(room.id());
        if (home.loop == loop) {
            home.shard.revoke(room, session);
        } else {
            home.mailbox.add(() -> home.shard.revoke(room, session));
        }
    }

    @Override
    public void control(
            RoomKey room, UnaryOperator<RoomOverrides> change, EventLoop loop, Consumer<Controlled> listener) {
        ask(home(room.id()), shard -> new Controlled(shard.control(room, change), true), loop, listener);
    }

    @Override
    public void rules(Function<String, @Nullable RoomKey> current) {
        homes.forEach(home -> home.mailbox.add(() -> home.shard.rules(current)));
    }

    @Override
    public AdmissionDecision.Snapshot known(RoomKey room) {
        return home(room.id()).shard.known(room);
    }

    @Override
    public List<RoomState> rooms() {
        List<RoomState> states = new ArrayList<>();
        homes.forEach(home -> home.shard.states(states));
        return states;
    }

    @Override
    public boolean healthy() {
        return true;
    }

    @Override
    public void close() {
        timers.forEach(timer -> timer.cancel(false));
    }

    private <A> void ask(Home home, Function<RoomShard, A> request, EventLoop loop, Consumer<A> response) {
        if (home.loop == loop) {
            response.accept(request.apply(home.shard));
            return;
        }
        EventLoopMailbox mailbox = inboxes.getOrDefault(loop, null);
        home.mailbox.add(() -> {
            A result = request.apply(home.shard);
            if (mailbox == null) {
                loop.execute(() -> response.accept(result));
            } else {
                mailbox.add(() -> response.accept(result));
            }
        });
    }

    private Home home(String key) {
        return homes.get(Math.floorMod(key.hashCode() * 0x9E3779B9, homes.size()));
    }

    private record Home(EventLoop loop, RoomShard shard, EventLoopMailbox mailbox) {}
}
