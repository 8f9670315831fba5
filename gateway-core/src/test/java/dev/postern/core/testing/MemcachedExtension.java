package dev.postern.core.testing;

/** A memcached, run with {@code -M} as the gateway asks for. */
public final class MemcachedExtension extends ServerExtension {

    public MemcachedExtension() {
        super(ServerProcess.memcached(64));
    }
}
