package dev.postern.core.transport;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * One instance of something per event loop, made when the loop first asks for it: pools, scratch buffers, signature objects.
 *
 * @param <T> what each loop has one of; it need not be thread-safe
 */
public final class LoopLocal<T> {

    private final FastThreadLocal<T> mine = new FastThreadLocal<>();
    private final Collection<T> all = new CopyOnWriteArrayList<>();
    private final Function<EventLoop, T> maker;

    public LoopLocal(Function<EventLoop, T> maker) {
        this.maker = maker;
    }

    /** The instance of that loop; must be called on it. */
    public T get(EventLoop loop) {
        assert loop.inEventLoop() : "LoopLocal asked from another thread than its loop's";
        T found = mine.getIfExists();
        if (found == null) {
            found = maker.apply(loop);
            mine.set(found);
            all.add(found);
        }
        return found;
    }

    /** All instances there are, to be read by meters; each belongs to its own loop. */
    public Collection<T> all() {
        return List.copyOf(all);
    }
}
