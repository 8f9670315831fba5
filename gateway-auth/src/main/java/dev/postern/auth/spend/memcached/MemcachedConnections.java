package dev.postern.auth.spend.memcached;

import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Connections per server: their number, their client, and the choice of the connection for a spend. Immutable, thread-safe. */
interface MemcachedConnections {

    int count();

    MemcachedConnection.Opener opener(int connection);

    /** Returns the index of the connection for a token's key and the loop that spends the token. */
    int of(byte[] key, EventLoop loop);

    /** Shared connections of spymemcached: all loops use them; the key selects the connection. */
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

    /** Netty connections: one per event loop and server. */
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
