package dev.postern.auth.spend.memcached;

import io.netty.channel.EventLoop;
import java.util.Map;

/**
 * One connection to each server, without a server.
 *
 * @param opened the connections by the address of their server; takes those that are opened
 */
record FakeMemcachedConnections(Map<String, FakeMemcachedConnection> opened) implements MemcachedConnections {

    @Override
    public int count() {
        return 1;
    }

    @Override
    public MemcachedConnection.Opener opener(int connection) {
        return (address, markedConnection) -> {
            FakeMemcachedConnection fake = new FakeMemcachedConnection(markedConnection);
            opened.put(address.getHostString(), fake);
            return fake;
        };
    }

    @Override
    public int of(byte[] key, EventLoop loop) {
        return 0;
    }
}
