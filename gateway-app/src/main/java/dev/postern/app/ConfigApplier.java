package dev.postern.app;

import dev.postern.app.admin.AdminToken;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.mapping.AdminMapping;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.app.mapping.LogMapping;
import dev.postern.app.mapping.TraceMapping;
import dev.postern.app.trace.Collector;
import dev.postern.app.trace.Tracing;
import dev.postern.auth.Auth;
import dev.postern.auth.AuthGeneration;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.metrics.Meters;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.server.ListenerUpdate;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.tls.CertificateReloader;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.transport.loop.AtomicSnapshot;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
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

    /** Name of the admin address among listeners, whose names have no blanks. */
    private static final String ADMIN = "admin address";

    private static final Duration CERTIFICATES = Duration.ofSeconds(10);

    private final Components.Network network;
    private final Components.Observation observation;
    private final Components.Operation operation;
    private final ProxyServer server;
    private final ConnectionHandlers connections;
    private final OverloadWatch overload;
    private final AtomicSnapshot<RoutingSnapshot> snapshot;
    private final RateLimits limits;
    private final Auth auth;
    private final ProcessRing ring;
    private final ConfigResolver resolver;
    private final CertificateReloader certificates;
    private final Map<String, AutoCloseable> watches = new HashMap<>();
    private volatile GatewayConfig config;
    private ResolvedConfig running = ResolvedConfig.NONE;
    private Upstreams upstreams = Upstreams.NONE;

    ConfigApplier(Components components) {
        Components.Serving serving = components.serving();
        this.network = components.network();
        this.observation = components.observation();
        this.operation = components.operation();
        this.server = serving.server();
        this.connections = serving.connections();
        this.overload = serving.overload();
        this.snapshot = serving.snapshot();
        this.limits = components.admission().limits();
        this.auth = components.admission().auth();
        this.ring = components.admission().ring();
        this.resolver = new ConfigResolver(
                network, serving.shares(), connections.windows(), components.loader(), limits.rooms());
        this.config = components.loaded().config();
        this.certificates = components
                .sequence()
                .add(new CertificateReloader(CERTIFICATES, observation.registry(), observation.certificates()));
    }

    /** Returns the configuration in force. */
    GatewayConfig config() {
        return config;
    }

    /**
     * Does every step that can fail.
     *
     * @throws IllegalStateException or {@link IllegalArgumentException} with the reason; then nothing has changed
     */
    ConfigGeneration prepare(LoadedConfig next) {
        List<AdminToken> adminTokens = AdminMapping.tokens(next.config().admin());
        AdmissionMapping admission = new AdmissionMapping(next.config());
        RateLimiters limiters = limits.prepare(admission.rateLimits());
        ReloadPlan plan = ReloadPlan.of(running, resolver.resolve(next));
        KeyRing keys = ring.of(next.config());
        Collector collector = TraceMapping.of(next.config().tracing());
        AuthGeneration tokens =
                auth.prepare(new AuthGeneration.Basis(next.config().privacyPass(), admission.sessions(), keys));
        Tracing tracing = observation.tracing();
        Tracing.Export traces = tracing.prepare(next.config().tracing(), collector);
        try {
            RoutingSnapshot routing =
                    plan.next().routing().with(create(plan)).with(limiters).with(tokens);
            ListenerUpdate update = server.prepare(plan.next().listeners());
            update.opened().forEach(network.selfAddresses()::addListener);
            return new ConfigGeneration(
                    next.config(),
                    plan,
                    routing,
                    limiters,
                    tokens,
                    keys,
                    traces,
                    resolver.shares().limits(next.config()),
                    adminTokens,
                    update);
        } catch (RuntimeException e) {
            auth.drop(tokens);
            tracing.drop(traces);
            throw e;
        }
    }

    /** Creates the upstreams that are not kept; the counts of those with the same name continue. */
    private Upstreams create(ReloadPlan plan) {
        Map<String, Upstream> byName = new HashMap<>();
        plan.next().upstreams().forEach((name, spec) -> {
            Upstream previous = upstreams.named(name);
            byName.put(
                    name,
                    previous != null && plan.keeps(name)
                            ? previous
                            : new Upstream(spec.settings(), spec.connector(), previous));
        });
        return new Upstreams(byName);
    }

    /** Puts the generation into force. Exchanges in progress end under the snapshot that they began with. */
    void take(ConfigGeneration next) {
        applySettings(next);
        Upstreams current = next.snapshot().upstreams();
        startUpstreams(next.plan(), current);
        // From here on every new exchange uses the new snapshot, and only that.
        snapshot.exchange(next.snapshot());
        retireUpstreams(next.plan());
        next.update().commit();
        network.selfAddresses().listeners(server.addresses());
        watchCertificates(next.plan().next());
        logOpened(next);
        running = next.plan().next();
        upstreams = current;
        config = next.config();
        observation.tracing().take(next.traces());
    }

    /** Applies the settings that do not depend on the snapshot. */
    private void applySettings(ConfigGeneration next) {
        GatewayConfig wanted = next.config();
        LogMapping.apply(wanted.log());
        observation.log().settings(wanted.log());
        limits.take(next.limiters());
        auth.take(next.tokens());
        ring.take(next.ring());
        limits.ring(next.ring());
        operation.access().tokens(next.adminTokens());
        connections.limits(next.limits());
        connections.outboundBytes(wanted.overload().outboundBytes());
        overload.settings(wanted.overload());
        network.outbound().max(resolver.shares().forward(wanted));
        resolver.windows().max((int) wanted.http2().maxWindow().bytes());
        warnOfLowerLimit(wanted.limits().connections(), next.limits().connections());
    }

    private void warnOfLowerLimit(int configured, int bound) {
        if (bound < configured) {
            LOG.warn(
                    "limits.connections: {} of {} are in force: there are {} (expected: ulimit -n above those, all"
                            + " pool.max-connections and limits.connections together)",
                    bound,
                    configured,
                    resolver.shares());
        }
    }

    /**
     * Reads the certificates of these listeners and upstreams again when their files change, and no others. Session tickets of these listeners
     * have keys of the ring in force.
     */
    private void watchCertificates(ResolvedConfig current) {
        Map<String, ServerTls> serverTls = new HashMap<>();
        for (ListenerSettings listener : current.listeners()) {
            if (listener.tls() != null) {
                serverTls.put(listener.listener().name(), listener.tls());
            }
        }
        if (operation.tls() != null) {
            serverTls.put(ADMIN, operation.tls());
        }
        serverTls.values().forEach(ServerTls::rekey);
        Map<String, ClientTls> clientTls = new HashMap<>();
        current.upstreams().forEach((name, spec) -> {
            ClientTls tls = spec.connector().tls();
            if (tls != null) {
                clientTls.put(name, tls);
            }
        });
        certificates.only(serverTls, clientTls);
    }

    private void logOpened(ConfigGeneration next) {
        List<InetSocketAddress> opened = next.update().opened();
        for (ListenerSettings listener : next.plan().next().listeners()) {
            ListenerInfo info = listener.listener();
            InetSocketAddress bound = server.address(info.name());
            if (opened.contains(bound)) {
                LOG.info("listener {} ({}) on {}", info.name(), info.mode().label(), bound);
            }
        }
    }

    /** Starts health checks and name lookups of the new upstreams and moves the meters of their names to them. */
    private void startUpstreams(ReloadPlan plan, Upstreams current) {
        for (Upstream upstream : current.all()) {
            if (!plan.keeps(upstream.name())) {
                Meters.removeUpstream(observation.registry(), upstream.name());
                upstream.register(observation.registry());
                stopWatch(upstream.name());
                watches.put(upstream.name(), upstream.watch(network.loops().next()));
            }
        }
    }

    /** Retires the upstreams in force that do not stay. */
    private void retireUpstreams(ReloadPlan plan) {
        for (Upstream upstream : upstreams.all()) {
            if (!plan.keeps(upstream.name())) {
                upstream.retire();
            }
        }
        for (String name : plan.removed()) {
            stopWatch(name);
            Meters.removeUpstream(observation.registry(), name);
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
