package dev.postern.core.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real server of its own for a test class, from before its first test until after its last. Register it as a static field. */
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
    public final void afterAll(ExtensionContext context) {
        server.close();
    }

    public final ServerProcess server() {
        return server;
    }

    /** {@code host:port}. */
    public final String address() {
        return server.address();
    }
}
