package dev.postern.core.transport.loop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * One instance of something per event loop, made when the loop first asks for it: pools, scratch buffers, signature objects.
 *
 * @param <T> what each loop has one of; it need not be thread-safe
 */
public final class EventLoopLocal<T> {

    private final FastThreadLocal<T> mine = new FastThreadLocal<>();
    private final Collection<Owned<T>> all = new CopyOnWriteArrayList<>();
    private final Function<EventLoop, T> maker;

    public EventLoopLocal(Function<EventLoop, T> maker) {
        this.maker = maker;
    }

    /** The instance of that loop; must be called on it. */
    public T get(EventLoop loop) {
        assert loop.inEventLoop() : "LoopLocal asked from another thread than its loop's";
        T found = mine.getIfExists();
        if (found == null) {
            found = maker.apply(loop);
            mine.set(found);
            all.add(new Owned<>(loop, found));
        }
        return found;
    }

    /** All instances there are, to be read by meters; each belongs to its own loop. */
    public Collection<T> all() {
        return all.stream().map(Owned::value).toList();
    }

    /** Lets the loops forget theirs when that time is over: who is not asked for any more would stay in their memory for ever. */
    public void forget(Duration after) {
        all.forEach(one -> one.loop().schedule((Runnable) mine::remove, after.toNanos(), TimeUnit.NANOSECONDS));
    }

    private record Owned<T>(EventLoop loop, T value) {}
}
