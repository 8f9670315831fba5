package dev.postern.app;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.warm.WarmUp;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.transport.Transport;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Second gateway in the process, for its warm-up: assembled like the first one, without admin address and log lines. */
final class SecondGateway implements WarmUp.Target {

    private final ProxyServer server;
    private final CloseSequence sequence;
    private final int loops;

    private SecondGateway(Components components) {
        this.server = components.serving().server();
        this.sequence = components.sequence();
        this.loops = Transport.loopsOf(components.network().loops()).size();
    }

    /** Starts it; throws {@link IllegalStateException} or {@link IllegalArgumentException} with the reason when the start fails. */
    static SecondGateway start(LoadedConfig config) {
        Components components = Assembly.assemble(config, Platform.ofThis(), UnaryOperator.identity(), lines -> {});
        SecondGateway gateway = new SecondGateway(components);
        try {
            ConfigApplier applier = gateway.sequence.add(new ConfigApplier(components));
            applier.take(applier.prepare(config));
            return gateway;
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    @Override
    public InetSocketAddress listener(String name) {
        return server.address(name);
    }

    @Override
    public int loops() {
        return loops;
    }

    @Override
    public void close() {
        try {
            server.drain(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sequence.close();
    }
}
