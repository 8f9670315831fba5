package dev.postern.app;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.app.mapping.ListenerMapping;
import dev.postern.app.mapping.LogMapping;
import dev.postern.app.mapping.RouteMapping;
import dev.postern.app.mapping.UpstreamMapping;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.metrics.Meters;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.server.ListenerUpdate;
import dev.postern.core.tls.CertificateReloader;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.ratelimit.RateLimits;
import dev.postern.ratelimit.handler.RateLimiters;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies configurations: the first one and every later one in the same way. Each configuration is first prepared and then put into force.
 * Unchanged components are kept, with their connections, counts and waiting clients. For one thread at a time, never an event loop.
 */
final class ConfigApplier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigApplier.class);
    private static final Duration CERTIFICATES = Duration.ofSeconds(10);

    private final Components.Network network;
    private final Components.Observation observation;
    private final Components.Serving serving;
    private final RateLimits limits;
    private final ExtensionLoader loader;
    private final CertificateReloader certificates;
    private final Map<String, AutoCloseable> watches = new HashMap<>();
    private volatile LoadedConfig loadedConfig;
    private List<ListenerSettings> listeners = List.of();

    ConfigApplier(Components components) {
        this.network = components.network();
        this.observation = components.observation();
        this.serving = components.serving();
        this.limits = components.admission().limits();
        this.loader = components.loader();
        this.loadedConfig = components.config();
        this.certificates = components
                .sequence()
                .add(new CertificateReloader(CERTIFICATES, observation.registry(), observation.certificates()));
    }

    /** Returns the configuration in force. */
    LoadedConfig config() {
        return loadedConfig;
    }

    /**
     * Does every step that can fail.
     *
     * @throws IllegalStateException or {@link IllegalArgumentException} with the reason; then nothing has changed
     */
    ConfigGeneration prepare(LoadedConfig next) {
        GatewayConfig config = next.config();
        ListenerMapping mapping = new ListenerMapping(config, next.base(), network.settings(), network.tls());
        RateLimiters limiters = limits.prepare(new AdmissionMapping(config, next.base()).rateLimits());
        RoutingSnapshot snapshot = new RouteMapping(config, next.base())
                .policy(Map.of(InternalEndpoint.PREFIX + RateLimits.ROOMS_PATH, limits.rooms()))
                .with(upstreams(next))
                .with(loader.pages())
                .with(limiters);
        List<ListenerSettings> wanted = config.listeners().stream()
                .map(mapping::listener)
                .map(this::known)
                .toList();
        ListenerUpdate update = serving.server().prepare(wanted);
        update.opened().forEach(network.selfAddresses()::addListener);
        return new ConfigGeneration(next, snapshot, limiters, mapping.accept(serving.shares()), wanted, update);
    }

    private void warnOfLowerLimit(ConfigGeneration next) {
        int configured = next.config().config().limits().connections();
        int bound = next.accept().connections();
        if (bound < configured) {
            LOG.warn(
                    "limits.connections: {} of {} are in force: there are {} (expected: ulimit -n above those, all"
                            + " pool.max-connections and limits.connections together)",
                    bound,
                    configured,
                    serving.shares());
        }
    }

    private Upstreams upstreams(LoadedConfig next) {
        UpstreamMapping mapping = new UpstreamMapping(
                next.base(), network.settings(), network.tls().engine(), loader);
        Map<String, Upstream> byName = new HashMap<>();
        for (UpstreamConfig config : next.config().upstreams()) {
            int connections = serving.shares().pool(next.config(), config.pool().maxConnections());
            UpstreamSettings settings = mapping.settings(config, connections);
            Connector connector = mapping.connecting(network.connector(), config);
            Upstream previous = serving.snapshot().get().upstreams().named(config.name());
            byName.put(
                    config.name(),
                    previous != null && previous.same(settings, connector)
                            ? previous
                            : new Upstream(settings, connector, previous));
        }
        return new Upstreams(byName);
    }

    /** Keeps the TLS context of the listener if its settings are unchanged, so that clients can still resume their TLS sessions. */
    private ListenerSettings known(ListenerSettings wanted) {
        ServerTls tls = wanted.tls();
        if (tls != null) {
            for (ListenerSettings previous : listeners) {
                if (previous.listener().name().equals(wanted.listener().name())
                        && previous.tls() != null
                        && previous.tls().same(tls)) {
                    return wanted.with(previous.tls());
                }
            }
        }
        return wanted;
    }

    /** Closes the sockets that were opened for the generation. */
    void drop(ConfigGeneration generation) {
        generation.update().drop();
        network.selfAddresses().listeners(serving.server().addresses());
    }

    /** Puts the generation into force. Exchanges in progress end under the snapshot that they began with. */
    void take(ConfigGeneration next) {
        applySettings(next);
        Upstreams previous = serving.snapshot().get().upstreams();
        Upstreams current = next.snapshot().upstreams();
        startUpstreams(previous, current);
        // From here on every new exchange uses the new snapshot, and only that.
        serving.snapshot().exchange(next.snapshot());
        retireUpstreams(previous, current);
        next.update().commit();
        network.selfAddresses().listeners(serving.server().addresses());
        reloadCertificates(next);
        logOpened(next);
        listeners = next.listeners();
        loadedConfig = next.config();
    }

    /** Applies the settings that do not depend on the snapshot. */
    private void applySettings(ConfigGeneration next) {
        LogMapping.level(next.config().config().log());
        observation.log().settings(next.config().config().log());
        limits.take(next.limiters());
        serving.connections().limits(next.accept());
        warnOfLowerLimit(next);
    }

    /** Reads the certificates of this generation's listeners and upstreams again when their files change, and no others. */
    private void reloadCertificates(ConfigGeneration next) {
        Map<String, ServerTls> serverTls = new HashMap<>();
        for (ListenerSettings listener : next.listeners()) {
            if (listener.tls() != null) {
                serverTls.put(listener.listener().name(), listener.tls());
            }
        }
        Map<String, ClientTls> clientTls = new HashMap<>();
        for (Upstream upstream : next.snapshot().upstreams().all()) {
            if (upstream.tls() != null) {
                clientTls.put(upstream.name(), upstream.tls());
            }
        }
        certificates.only(serverTls, clientTls);
    }

    private void logOpened(ConfigGeneration next) {
        List<InetSocketAddress> opened = next.update().opened();
        for (ListenerSettings listener : next.listeners()) {
            ListenerInfo info = listener.listener();
            InetSocketAddress bound = serving.server().address(info.name());
            if (opened.contains(bound)) {
                LOG.info("listener {} ({}) on {}", info.name(), info.mode().label(), bound);
            }
        }
    }

    /** Starts health checks and name lookups of the new upstreams and moves the meters of their names to them. */
    private void startUpstreams(Upstreams previous, Upstreams current) {
        for (Upstream upstream : current.all()) {
            if (upstream != previous.named(upstream.name())) {
                Meters.removeUpstream(observation.registry(), upstream.name());
                upstream.register(observation.registry());
                stopWatch(upstream.name());
                watches.put(upstream.name(), upstream.watch(network.loops().next()));
            }
        }
    }

    private void retireUpstreams(Upstreams previous, Upstreams current) {
        for (Upstream upstream : previous.all()) {
            if (upstream != current.named(upstream.name())) {
                upstream.retire();
            }
            if (current.named(upstream.name()) == null) {
                stopWatch(upstream.name());
                Meters.removeUpstream(observation.registry(), upstream.name());
            }
        }
    }

    private void stopWatch(String upstream) {
        AutoCloseable watch = watches.remove(upstream);
        if (watch != null) {
            try {
                watch.close();
            } catch (Exception e) {
                LOG.warn("upstream {}: is still watched", upstream, e);
            }
        }
    }

    @Override
    public void close() {
        List.copyOf(watches.keySet()).forEach(this::stopWatch);
    }
}
