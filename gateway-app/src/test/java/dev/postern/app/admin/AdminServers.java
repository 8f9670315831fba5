package dev.postern.app.admin;

import dev.postern.core.transport.Transport;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Admin servers for tests of endpoints: without tokens, and always ready. */
public final class AdminServers {

    private AdminServers() {}

    /** @param port 0 for any */
    public static AdminServer open(int port, AdminEndpointTable table) {
        return new AdminServer(
                new AdminServer.Settings(new InetSocketAddress("127.0.0.1", port), List.of(), null),
                Transport.open(Transport.Kind.NIO),
                Ticker.systemTicker(),
                new AdminAccess(List.of(), Ticker.systemTicker()),
                table);
    }

    /** Opens a server on any port. */
    public static AdminServer open(
            Map<String, AdminEndpoint> pages, Map<String, AdminEndpoint> shown, Map<String, AdminEndpoint> started) {
        return open(0, new AdminEndpointTable(ready(), pages, shown, started, Map.of()));
    }

    public static Probes ready() {
        return new Probes(
                () -> CompletableFuture.completedFuture(true), () -> true, () -> false, () -> "", Map.of(), Set.of());
    }
}
