package dev.postern.app;

import dev.postern.app.Components.Admission;
import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.ProbeServer;
import dev.postern.app.config.LifecycleConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.context.ContextWatch;
import dev.postern.app.context.RingContext;
import dev.postern.app.log.LineOutput;
import dev.postern.app.log.LineOutputs;
import dev.postern.app.log.WriteFailures;
import dev.postern.app.mapping.LogMapping;
import dev.postern.app.reload.ReloadSource;
import dev.postern.app.reload.Reloaded;
import dev.postern.app.warm.WarmUp;
import dev.postern.auth.Auth;
import dev.postern.auth.verify.CryptoProvider;
import dev.postern.core.config.DurationText;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gateway of one process: starts, serves, applies later configurations, drains, ends. For the main thread; other threads may call {@link
 * #reload}, and {@link #drain} once.
 */
public final class Gateway implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final Logger LINES = LoggerFactory.getLogger("postern.exchanges");
    private static final Duration FIRST_KEYS = Duration.ofSeconds(2);
    private static final Duration FIRST_CONNECTIONS = Duration.ofSeconds(2);
    private static final long LOOK_MILLIS = 5;

    private final ProxyServer server;
    private final MeterRegistry registry;
    private final CloseSequence sequence;
    private final ConfigApplier applier;
    private final ReloadController controller;
    private final ConfigWatch watch;
    private final ContextWatch context;
    private final AdminServer admin;
    private final @Nullable ProbeServer probes;
    private volatile boolean started;
    private volatile boolean draining;

    private Gateway(Components components, ReloadSource source) {
        this.server = components.serving().server();
        this.registry = components.observation().registry();
        this.sequence = components.sequence();
        this.applier = sequence.add(new ConfigApplier(components));
        this.controller = new ReloadController(applier, source, components.loaded(), registry);
        this.watch = sequence.add(new ConfigWatch(controller::watches, controller::sources, controller::reloadFile));
        AdminAssembly assembly = new AdminAssembly(components);
        this.context = assembly.context(applier::config);
        AdminEndpointTable table = assembly.endpoints(context, () -> started, () -> draining, controller::reloadNow);
        this.admin = assembly.server(table);
        this.probes = assembly.probes(table.probes());
    }

    /** Starts a gateway with a valid configuration; throws {@link IllegalStateException} with the reason when the start fails. */
    public static Gateway start(LoadedConfig loadedConfig) {
        return start(loadedConfig, () -> loadedConfig);
    }

    /** @param source provides the configuration at each reload */
    public static Gateway start(LoadedConfig loadedConfig, ReloadSource source) {
        return start(
                loadedConfig,
                source,
                Platform.ofThis(),
                UnaryOperator.identity(),
                lines -> LINES.info(String.join("\n", lines)));
    }

    /**
     * Starts a gateway with other stages or another exchange log.
     *
     * @param variation replaces stages of the pipeline; for tests that remove a stage
     * @param lines consumes each line of the exchange log in place of standard output; called by one thread
     */
    public static Gateway start(LoadedConfig loadedConfig, UnaryOperator<Stages> variation, Consumer<String> lines) {
        return start(loadedConfig, () -> loadedConfig, Platform.ofThis(), variation, some -> some.forEach(lines));
    }

    /**
     * Starts a gateway on another platform than this process.
     *
     * @param lines consumes each line of the exchange log in place of standard output; called by one thread
     */
    static Gateway start(LoadedConfig loadedConfig, Platform platform, Consumer<String> lines) {
        return start(loadedConfig, () -> loadedConfig, platform, UnaryOperator.identity(), some -> some.forEach(lines));
    }

    private static Gateway start(
            LoadedConfig loadedConfig,
            ReloadSource source,
            Platform platform,
            UnaryOperator<Stages> variation,
            LineOutput stdout) {
        LogMapping.apply(loadedConfig.config().log());
        WriteFailures.watch();
        Components components = Assembly.assemble(
                loadedConfig, platform, variation, new LineOutputs(stdout, platform.clock(), platform.ticker()));
        try {
            Gateway gateway = new Gateway(components, source);
            gateway.open(components);
            return gateway;
        } catch (RuntimeException e) {
            components.sequence().close();
            throw e;
        }
    }

    private void open(Components components) {
        LoadedConfig loaded = components.loaded();
        Admission admission = components.admission();
        loaded.warnings().forEach(warning -> LOG.warn("{}", warning));
        logProviders(admission.auth());
        LOG.info("key ring: {}", RingContext.text(admission.ring().get()));
        ConfigGeneration first = applier.prepare(loaded);
        try {
            WarmUp.run(loaded, SecondGateway::start);
            // The first clients need keys and stores. An unreachable issuer or store delays the start by 2 s at most
            // and does not prevent it.
            admission.auth().awaitIssuers(FIRST_KEYS);
            awaitStores(admission, components.platform().ticker());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        applier.take(first);
        controller.open();
        watch.start();
        context.start();
        started = true;
        LOG.info("ready; admin on {}", admin.address());
    }

    private static void logProviders(Auth auth) {
        CryptoProvider single = auth.provider();
        CryptoProvider batch = auth.batchProvider();
        LOG.info("signatures are checked by {}: {}", single.name(), single.why());
        LOG.info("signatures are checked in batches by {}: {}", batch.name(), batch.why());
    }

    /** Waits until ledger, rooms and limits are connected. */
    private static void awaitStores(Admission admission, Ticker ticker) throws InterruptedException {
        long began = ticker.nanoTime();
        while (!admission.connected() && ticker.nanoTime() - began < FIRST_CONNECTIONS.toNanos()) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** Reads the configuration from its source again and applies it, whole or not at all; from any thread except an event loop. */
    public Reloaded reload() {
        return controller.reloadFile();
    }

    /** Applies the configuration, whole or not at all; from any thread except an event loop. */
    public Reloaded reload(LoadedConfig next) {
        return controller.with(next);
    }

    /** Returns the address that the listener is bound to. */
    public InetSocketAddress listener(String name) {
        return server.address(name);
    }

    public InetSocketAddress admin() {
        return admin.address();
    }

    /** Returns the address of the probe server; the admin address when no separate address is configured. */
    public InetSocketAddress probes() {
        return probes == null ? admin.address() : probes.address();
    }

    /** Returns the meter registry, for callers that need more than a scrape shows. */
    public MeterRegistry meters() {
        return registry;
    }

    /** Describes in one line what {@link #drain} would wait for now. */
    public String waitsFor() {
        LifecycleConfig lifecycle = applier.config().lifecycle();
        int connections = server.connections();
        return "not ready any more; still accepts for " + DurationText.format(lifecycle.drainDelay())
                + " (lifecycle.drain-delay), then "
                + (connections == 1 ? "1 connection has " : connections + " connections have ")
                + DurationText.format(lifecycle.drainTimeout())
                + " to end (lifecycle.drain-timeout)";
    }

    /**
     * Fails readiness at once, accepts connections for the drain delay and announces the end of each, then lets exchanges end until the
     * drain timeout, closes the remaining connections, and closes all components.
     */
    public void drain() throws InterruptedException {
        draining = true;
        controller.close();
        LifecycleConfig lifecycle = applier.config().lifecycle();
        LOG.info("draining: not ready any more, still accepting for {}", DurationText.format(lifecycle.drainDelay()));
        server.announce();
        Thread.sleep(lifecycle.drainDelay().toMillis());
        int cut = server.drain(lifecycle.drainTimeout());
        LOG.info(cut == 0 ? "drained" : "drained; {} connections were cut off", cut);
        sequence.close();
    }

    /** Ends without waiting for exchanges. */
    @Override
    public void close() {
        draining = true;
        controller.close();
        try {
            server.drain(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sequence.close();
    }

    /** Second gateway in the process, for its warm-up: assembled like the first one, without admin address and log lines. */
    private static final class SecondGateway implements WarmUp.Target {

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
            Components components =
                    Assembly.assemble(config, Platform.ofThis(), UnaryOperator.identity(), exchanges -> lines -> {});
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
}
