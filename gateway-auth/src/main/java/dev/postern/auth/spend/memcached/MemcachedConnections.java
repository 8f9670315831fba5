package dev.postern.auth.spend.memcached;

import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many connections each server gets, by which client, and which of them carries what. Immutable, thread-safe. */
interface MemcachedConnections {

    int count();

    MemcachedConnection.Opener opener(int connection);

    /** The one for a token's key that a loop spends. */
    int of(byte[] key, EventLoop loop);

    /** spymemcached's: all loops share them, and of each server each key has its own. */
    record Shared(int count, MemcachedEncoding keys) implements MemcachedConnections {

        @Override
        public MemcachedConnection.Opener opener(int connection) {
            return (address, markedConnection) -> SpyMemcachedConnection.open(address, markedConnection, keys);
        }

        @Override
        public int of(byte[] key, EventLoop loop) {
            return Math.floorMod(key[0], count);
        }
    }

    /** Our own: each loop has one to each server. */
    final class OfLoops implements MemcachedConnections {

        private final List<EventLoop> loops;
        private final MemcachedEncoding keys;
        private final Map<EventLoop, Integer> places = new HashMap<>();

        OfLoops(List<EventLoop> loops, MemcachedEncoding keys) {
            this.loops = loops;
            this.keys = keys;
            for (int i = 0; i < loops.size(); i++) {
                places.put(loops.get(i), i);
            }
        }

        @Override
        public int count() {
            return loops.size();
        }

        @Override
        public MemcachedConnection.Opener opener(int connection) {
            return (address, markedConnection) ->
                    NettyMemcachedConnection.open(address, markedConnection, keys, loops.get(connection));
        }

        @Override
        public int of(byte[] key, EventLoop loop) {
            Integer place = places.get(loop);
            if (place == null) {
                throw new IllegalArgumentException("an event loop that the ledger was not opened for");
            }
            return place;
        }
    }
}
