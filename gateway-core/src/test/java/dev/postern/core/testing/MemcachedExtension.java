package dev.postern.core.testing;

/** Runs a memcached with {@code -M}, as the gateway requires. */
public final class MemcachedExtension extends ServerExtension {

    public MemcachedExtension() {
        super(ServerProcess.memcached(64));
    }
}
