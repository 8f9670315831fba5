package dev.postern.core.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A memcached of its own for a test class, run with {@code -M} as the gateway asks for. Register it as a static field. */
public final class MemcachedExtension implements BeforeAllCallback, AfterAllCallback {

    private final ServerProcess server = new ServerProcess(
            "memcached",
            ServerProcess.freePort(),
            "-l",
            "127.0.0.1",
            "-p",
            "{port}",
            "-U",
            "0",
            "-M",
            "-m",
            "64",
            "-u",
            "nobody");

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
