package dev.postern.ratelimit.queue;

import java.util.ArrayList;
import java.util.List;

/**
 * Index of the tickets of a queue, in order, with the rank of each ticket.
 *
 * <p>Sorted chunks of at most {@value #CHUNK} tickets, and a Fenwick tree (P. Fenwick, 1994) over their sizes: rank, add and remove cost
 * O(log n) plus a copy within one chunk. Tickets are added at the end and removed near the front, so chunks are rarely created or emptied,
 * and only then the tree is rebuilt.
 */
final class RankedTicketIndex {

    private static final int CHUNK = 512;

    private final List<Chunk> chunks = new ArrayList<>();
    /** First ticket of each chunk, in one array, so that a search does not access the chunks. */
    private long[] firsts = new long[0];

    private int[] sums = new int[1];
    private int size;

    int size() {
        return size;
    }

    /** Adds a ticket; expects that the index does not contain the ticket. */
    void add(long ticket) {
        if (chunks.isEmpty()) {
            chunks.add(new Chunk(new long[CHUNK]));
            rebuild();
        }
        int index = chunkOf(ticket);
        if (chunks.get(index).count == CHUNK) {
            split(index, ticket);
            index = chunkOf(ticket);
        }
        Chunk chunk = chunks.get(index);
        chunk.insert(ticket);
        firsts[index] = chunk.tickets[0];
        change(index, 1);
    }

    /** Removes a ticket; expects that the index contains the ticket. */
    void remove(long ticket) {
        int index = chunkOf(ticket);
        Chunk chunk = chunks.get(index);
        chunk.delete(ticket);
        firsts[index] = chunk.tickets[0];
        change(index, -1);
        if (chunk.count == 0) {
            chunks.remove(index);
            rebuild();
        }
    }

    boolean has(long ticket) {
        return !chunks.isEmpty() && chunks.get(chunkOf(ticket)).has(ticket);
    }

    /** Returns the number of tickets before the given one. */
    int rank(long ticket) {
        int index = chunkOf(ticket);
        int count = 0;
        for (int i = index; i > 0; i -= i & -i) {
            count += sums[i];
        }
        return count + chunks.get(index).find(ticket);
    }

    private void split(int index, long ticket) {
        Chunk full = chunks.get(index);
        boolean atEnd = index == chunks.size() - 1 && ticket > full.tickets[CHUNK - 1];
        int keep = atEnd ? CHUNK : CHUNK / 2;
        Chunk next = new Chunk(new long[CHUNK]);
        next.count = CHUNK - keep;
        System.arraycopy(full.tickets, keep, next.tickets, 0, next.count);
        full.count = keep;
        if (next.count == 0) {
            next.insert(ticket); // so that the chunk has a first ticket for the search
            chunks.add(index + 1, next);
            next.count = 0;
        } else {
            chunks.add(index + 1, next);
        }
        rebuild();
    }

    /** Returns the index of the last chunk whose first ticket is not after the given one, otherwise 0. */
    private int chunkOf(long ticket) {
        int low = 0;
        int high = chunks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firsts[middle] <= ticket) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private void change(int index, int amount) {
        size += amount;
        for (int i = index + 1; i < sums.length; i += i & -i) {
            sums[i] += amount;
        }
    }

    private void rebuild() {
        int n = chunks.size();
        firsts = new long[n];
        sums = new int[n + 1];
        for (int i = 1; i <= n; i++) {
            Chunk chunk = chunks.get(i - 1);
            firsts[i - 1] = chunk.tickets[0];
            sums[i] += chunk.count;
            int parent = i + (i & -i);
            if (parent <= n) {
                sums[parent] += sums[i];
            }
        }
    }

    private static final class Chunk {

        private final long[] tickets;
        private int count;

        Chunk(long[] tickets) {
            this.tickets = tickets;
        }

        /**
         * Returns the number of tickets before the given one. Starts where the ticket would be if all distances were equal, which touches
         * fewer cache lines than a binary search.
         */
        int find(long ticket) {
            if (count == 0 || ticket <= tickets[0]) {
                return 0;
            }
            if (ticket > tickets[count - 1]) {
                return count;
            }
            double share = (double) (ticket - tickets[0]) / (tickets[count - 1] - tickets[0]);
            int offset = (int) (share * (count - 1));
            while (tickets[offset] < ticket) {
                offset++;
            }
            while (tickets[offset - 1] >= ticket) {
                offset--;
            }
            return offset;
        }

        boolean has(long ticket) {
            int offset = find(ticket);
            return offset < count && tickets[offset] == ticket;
        }

        void insert(long ticket) {
            int offset = find(ticket);
            System.arraycopy(tickets, offset, tickets, offset + 1, count - offset);
            tickets[offset] = ticket;
            count++;
        }

        void delete(long ticket) {
            int offset = find(ticket);
            System.arraycopy(tickets, offset + 1, tickets, offset, count - offset - 1);
            count--;
        }
    }
}
