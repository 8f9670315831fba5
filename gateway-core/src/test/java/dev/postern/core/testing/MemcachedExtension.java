package dev.postern.core.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A memcached of its own for a test class, run with {@code -M} as the gateway asks for. Register it as a static field. */
public final class MemcachedExtension implements BeforeAllCallback, AfterAllCallback {

    private final ServerProcess server = ServerProcess.memcached(64);

    @Override
    public void beforeAll(ExtensionContext context) {
        server.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
    }

    public ServerProcess server() {
        return server;
    }

    /** {@code host:port}. */
    public String address() {
        return server.address();
    }
}
