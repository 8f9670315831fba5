package dev.postern.core.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a real server from before the first test of a class until after the last. Register it as a static field. */
public abstract class ServerExtension implements BeforeAllCallback, AfterAllCallback {

    private final ServerProcess server;

    ServerExtension(ServerProcess server) {
        this.server = server;
    }

    @Override
    public final void beforeAll(ExtensionContext context) {
        server.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
    }

    public final ServerProcess server() {
        return server;
    }

    /** Returns {@code host:port}. */
    public final String address() {
        return server.address();
    }
}
