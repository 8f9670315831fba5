package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lingering connections of the process, the oldest first. They have served their purpose with the first byte that the client read, which
 * the gateway cannot see: when connections are needed, the oldest close. Thread-safe.
 */
public final class LingeringConnections {

    private static final AttributeKey<LingeringConnections> KEY =
            AttributeKey.valueOf(LingeringConnections.class, "process");

    private final IntSupplier needed;
    private final Set<ChannelHandlerContext> oldestFirst = new LinkedHashSet<>();
    private int closing;

    /** @param needed how many connections must close until the next can be accepted */
    public LingeringConnections(IntSupplier needed) {
        this.needed = needed;
    }

    /** Adds the connections that the listening channel accepts when they begin to linger. */
    public void follow(Channel listening) {
        listening.attr(KEY).set(this);
    }

    /** Returns those of the process, or null for a channel whose connections are not counted. */
    static @Nullable LingeringConnections of(Channel accepted) {
        Channel listening = accepted.parent();
        return listening == null ? null : listening.attr(KEY).get();
    }

    /** Adds a connection until it closes. */
    void add(ChannelHandlerContext lingering) {
        synchronized (this) {
            oldestFirst.add(lingering);
        }
        lingering.channel().closeFuture().addListener(closed -> remove(lingering));
        relieve();
    }

    private synchronized void remove(ChannelHandlerContext closed) {
        if (!oldestFirst.remove(closed)) {
            closing--;
        }
    }

    /** Closes as many as are needed. */
    public void relieve() {
        closeOldest(needed.getAsInt());
    }

    /** Closes the oldest, so that this number is closed together with those that are closing. */
    public void closeOldest(int count) {
        // Never at once: the caller may hold a lock of the count that a closed connection changes.
        oldest(count).forEach(one -> one.executor().execute(one::close));
    }

    private synchronized List<ChannelHandlerContext> oldest(int count) {
        List<ChannelHandlerContext> found = new ArrayList<>();
        Iterator<ChannelHandlerContext> all = oldestFirst.iterator();
        while (closing < count && all.hasNext()) {
            found.add(all.next());
            all.remove();
            closing++;
        }
        return found;
    }

    /** Returns how many linger. */
    public synchronized int size() {
        return oldestFirst.size();
    }
}
