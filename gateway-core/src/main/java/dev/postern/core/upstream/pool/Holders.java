package dev.postern.core.upstream.pool;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holders of the connections or streams of one event loop's pool: the exchanges with a lease, in no order. Event loop only. */
final class Holders {

    private final List<Holding> all = new ArrayList<>();

    /** Holding of one connection or stream, by one exchange after the other. */
    static final class Holding {

        private ConnectionPool.@Nullable Waiter holder;
        private int index;
        private long since;

        /** Returns the exchange, or null between two exchanges. */
        ConnectionPool.@Nullable Waiter holder() {
            return holder;
        }

        long since() {
            return since;
        }
    }

    void add(Holding holding, ConnectionPool.Waiter holder, long now) {
        holding.holder = holder;
        holding.since = now;
        holding.index = all.size();
        all.add(holding);
    }

    /** Removes the holding; no-op when no exchange has it. */
    void remove(Holding holding) {
        if (holding.holder == null) {
            return;
        }
        holding.holder = null;
        Holding last = all.remove(all.size() - 1);
        if (last != holding) {
            all.set(holding.index, last);
            last.index = holding.index;
        }
    }

    List<Holding> all() {
        return all;
    }
}
