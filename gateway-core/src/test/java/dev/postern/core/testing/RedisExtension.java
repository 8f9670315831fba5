package dev.postern.core.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A Redis of its own for a test class, without persistence. Register it as a static field. */
public final class RedisExtension implements BeforeAllCallback, AfterAllCallback {

    private final ServerProcess server = new ServerProcess(
            "redis-server",
            ServerProcess.freePort(),
            "--bind",
            "127.0.0.1",
            "--port",
            "{port}",
            "--save",
            "",
            "--appendonly",
            "no");

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
