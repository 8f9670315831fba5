package dev.postern.app.admin;

import dev.postern.core.transport.Transport;
import java.net.InetSocketAddress;

/**
 * Server of the probes on a separate address, for networks that must not reach the other admin endpoints. The status is the whole response.
 */
public final class ProbeServer implements AutoCloseable {

    private final Probes probes;
    private final AdminListener listener;

    /** @throws IllegalStateException when the address can't be bound */
    public ProbeServer(InetSocketAddress address, Transport transport, Probes probes) {
        this.probes = probes;
        this.listener = new AdminListener("admin.probes-address", address, transport, null, this::handle);
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    private void handle(AdminExchange exchange) {
        if (!exchange.request().reads() && !exchange.request().method().equals("OPTIONS")) {
            exchange.set("Allow", "GET, HEAD, OPTIONS");
            exchange.send(405);
            return;
        }
        switch (exchange.request().path()) {
            case "/livez" -> probes.live().get().thenAccept(live -> response(exchange, live));
            case "/startupz" -> response(exchange, probes.started().getAsBoolean());
            // HAProxy checks "/" with OPTIONS where nothing else is configured.
            case "/readyz", "/" -> response(exchange, probes.ready());
            default -> exchange.send(404);
        }
    }

    private static void response(AdminExchange exchange, boolean good) {
        exchange.send(good ? 200 : 503);
    }

    @Override
    public void close() {
        listener.close();
    }
}
