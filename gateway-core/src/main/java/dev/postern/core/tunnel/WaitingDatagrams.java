package dev.postern.core.tunnel;

import java.util.Arrays;

/**
 * Places of the datagrams in one read that must wait: the last ones, as far as the bytes of the queue permit. Most of a flood of tiny
 * datagrams is dropped again within its read, and a place costs less than a slice of it. A plain object, confined to one thread.
 */
final class WaitingDatagrams {

    private static final int FIRST_PLACES = 16;

    private final int maxBytes;

    /** Ring of places, in turn index and length, whose number is a power of two; none is kept beyond the read. */
    private int[] places = new int[0];

    private int first;
    private int count;
    private int bytes;
    private int dropped;

    /** Taker of places. */
    interface Taker {

        void take(int index, int length);
    }

    /** @param maxBytes that wait, by {@link DatagramQueue#cost}; a larger datagram still waits alone */
    WaitingDatagrams(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Adds a datagram and drops older ones beyond the bytes. */
    void add(int index, int length) {
        int cost = DatagramQueue.cost(length);
        while (count > 0 && bytes + cost > maxBytes) {
            bytes -= DatagramQueue.cost(places[2 * first + 1]);
            removeFirst();
            dropped++;
        }
        if (2 * count == places.length) {
            grow();
        }
        int place = (first + count) & (places.length / 2 - 1);
        places[2 * place] = index;
        places[2 * place + 1] = length;
        count++;
        bytes += cost;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns the number of datagrams dropped since the last call. */
    int dropped() {
        int number = dropped;
        dropped = 0;
        return number;
    }

    /** Passes all places on, the oldest first, and forgets them. */
    void take(Taker taker) {
        while (count > 0) {
            taker.take(places[2 * first], places[2 * first + 1]);
            removeFirst();
        }
        places = new int[0];
        first = 0;
        bytes = 0;
    }

    private void removeFirst() {
        first = (first + 1) & (places.length / 2 - 1);
        count--;
    }

    private void grow() {
        int[] larger = Arrays.copyOf(places, Math.max(2 * FIRST_PLACES, 2 * places.length));
        // The places before the first one follow those at the end.
        System.arraycopy(places, 0, larger, places.length, 2 * first);
        places = larger;
    }
}
