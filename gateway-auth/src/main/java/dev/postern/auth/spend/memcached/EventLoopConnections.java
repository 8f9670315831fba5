package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Netty connections: one per event loop and server. */
public final class EventLoopConnections implements MemcachedConnections {

    private final List<EventLoop> loops;
    private final MemcachedEncoding encoding;
    private final Map<EventLoop, Integer> indexes = new HashMap<>();

    public EventLoopConnections(List<EventLoop> loops, MemcachedEncoding encoding) {
        this.loops = loops;
        this.encoding = encoding;
        for (int i = 0; i < loops.size(); i++) {
            indexes.put(loops.get(i), i);
        }
    }

    @Override
    public int count() {
        return loops.size();
    }

    @Override
    public MemcachedConnection.Opener opener(int connection) {
        return (address, markedConnection) ->
                NettyMemcachedConnection.open(address, markedConnection, encoding, loops.get(connection));
    }

    @Override
    public int of(byte[] key, EventLoop loop) {
        Integer index = indexes.get(loop);
        if (index == null) {
            throw new IllegalArgumentException("an event loop that the ledger was not opened for");
        }
        return index;
    }
}
