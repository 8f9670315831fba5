package dev.postern.core.tunnel;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Queue of datagrams for a receiver that does not keep up; bounded in bytes and in age. Drops the oldest datagrams, since a late datagram
 * is worth less than a new one, and a full queue would only add delay (RFC 8289 section 2). A plain object, confined to one thread.
 */
final class DatagramQueue {

    /** Age in nanoseconds at which a datagram is dropped. */
    static final long MAX_AGE = TimeUnit.MILLISECONDS.toNanos(100);

    /** Bytes that each datagram counts at least, so that small ones are bounded too. */
    static final int MIN_SIZE = 64;

    /** Bytes that an empty datagram counts, which takes a system call of its own. */
    static final int EMPTY_SIZE = 1024;

    private final int maxBytes;
    private final IntConsumer dropped;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(0);
    private int bytes;

    /** Datagram that waits since that time. */
    private record Entry(ByteBuf datagram, long since) {

        int size() {
            return cost(datagram.readableBytes());
        }
    }

    /**
     * @param maxBytes of all datagrams that wait; a larger datagram still waits alone
     * @param dropped gets the number of datagrams that the queue drops
     */
    DatagramQueue(int maxBytes, IntConsumer dropped) {
        this.maxBytes = maxBytes;
        this.dropped = dropped;
    }

    /** Returns how many bytes a datagram of that length counts: sending a tiny one costs as much as sending a larger one. */
    static int cost(int length) {
        return length == 0 ? EMPTY_SIZE : Math.max(MIN_SIZE, length);
    }

    /** Adds a datagram, takes ownership, and drops older ones beyond the bounds. */
    void add(ByteBuf datagram, long now) {
        Entry entry = new Entry(datagram, now);
        expire(now);
        while (!entries.isEmpty() && bytes + entry.size() > maxBytes) {
            drop();
        }
        entries.add(entry);
        bytes += entry.size();
    }

    /** Returns the oldest datagram that is not too old, and gives up its ownership; null when there is none. */
    @Nullable
    ByteBuf poll(long now) {
        expire(now);
        Entry first = entries.poll();
        if (first == null) {
            return null;
        }
        bytes -= first.size();
        return first.datagram();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Drops all datagrams. */
    void clear() {
        while (!entries.isEmpty()) {
            drop();
        }
    }

    private void expire(long now) {
        for (Entry first = entries.peek(); first != null && now - first.since() > MAX_AGE; first = entries.peek()) {
            drop();
        }
    }

    private void drop() {
        Entry first = entries.remove();
        bytes -= first.size();
        first.datagram().release();
        dropped.accept(1);
    }
}
