package dev.postern.core.transport.loop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Value local to an event loop, created on its first use there: pools, scratch buffers, signature objects.
 *
 * @param <T> type of the value; need not be thread-safe
 */
public final class EventLoopLocal<T> {

    private final FastThreadLocal<T> mine = new FastThreadLocal<>();
    private final Collection<Owned<T>> all = new CopyOnWriteArrayList<>();
    private final Function<EventLoop, T> maker;

    public EventLoopLocal(Function<EventLoop, T> maker) {
        this.maker = maker;
    }

    /** Returns the value of that event loop; must be called on that loop. */
    public T get(EventLoop loop) {
        assert loop.inEventLoop() : "EventLoopLocal: called outside its event loop";
        T found = mine.getIfExists();
        if (found == null) {
            found = maker.apply(loop);
            mine.set(found);
            all.add(new Owned<>(loop, found));
        }
        return found;
    }

    /** Returns all values, for meters; each value belongs to its own event loop. */
    public Collection<T> all() {
        return all.stream().map(Owned::value).toList();
    }

    /** Removes the values from the event loops after that time: the loops would otherwise keep unused values in memory without end. */
    public void forget(Duration after) {
        all.forEach(one -> one.loop().schedule((Runnable) mine::remove, after.toNanos(), TimeUnit.NANOSECONDS));
    }

    private record Owned<T>(EventLoop loop, T value) {}
}
