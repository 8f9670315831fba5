package dev.postern.core.testing;

/**
 * Two servers and a relay in front of the master, as a name that gets the address of the new master after a fail-over. Open connections stay
 * at the old one.
 */
public record RedisPair(RedisExtension one, RedisExtension other, FrozenRelay relay) implements AutoCloseable {

    /** Takes two started servers, which stay open at {@link #close}. */
    public static RedisPair of(RedisExtension one, RedisExtension other) {
        return new RedisPair(one, other, new FrozenRelay(one.address()));
    }

    /** Makes the second server a replica of the first, and waits until it has all data. */
    public RedisPair replicating() {
        other.copy(one);
        return this;
    }

    /** Makes the second server the master and the first one its replica, as an operator does. */
    public void demote() {
        swap();
        relay.repoint(other.address());
    }

    /** Makes the second server the master and the first one its replica; the name still leads to the first. */
    public void swap() {
        other.lead();
        one.follow(other);
    }

    /** Hands over by FAILOVER, after which the second server has all data. */
    public void failOver() {
        one.cli("failover", "to", "127.0.0.1", port(other));
        RedisClusterExtension.await(one.server(), "role", "slave");
        relay.repoint(other.address());
    }

    private static String port(RedisExtension server) {
        return Integer.toString(server.server().port());
    }

    /** Makes both servers empty masters again. */
    @Override
    public void close() {
        relay.close();
        for (RedisExtension server : new RedisExtension[] {one, other}) {
            server.lead();
            server.cli("flushall");
        }
    }
}
