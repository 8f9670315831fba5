package dev.postern.app;

import dev.postern.app.Components.Admission;
import dev.postern.app.Components.Network;
import dev.postern.app.Components.Observation;
import dev.postern.app.Components.Serving;
import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.ProbeServer;
import dev.postern.app.admin.Probes;
import dev.postern.app.admin.endpoint.AdminEndpoints;
import dev.postern.app.admin.endpoint.LoopProbe;
import dev.postern.app.admin.endpoint.PartHealth;
import dev.postern.app.config.AdminConfig;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.context.ContextItem;
import dev.postern.app.context.ContextSource;
import dev.postern.app.context.ContextSources;
import dev.postern.app.context.ContextWatch;
import dev.postern.app.context.RingContext;
import dev.postern.app.live.LiveFeed;
import dev.postern.app.live.LiveSource;
import dev.postern.app.mapping.AdminMapping;
import dev.postern.app.mapping.ContextMapping;
import dev.postern.core.config.HostPort;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Assembles what operators see of the components: the hidden context, and the addresses of admin and probes with their endpoints. */
final class AdminAssembly {

    private final LoadedConfig loaded;
    private final AdminConfig config;
    private final Platform platform;
    private final Network network;
    private final Admission admission;
    private final Observation observation;
    private final Serving serving;
    private final Components.Operation operation;
    private final CloseSequence sequence;

    AdminAssembly(Components components) {
        this.loaded = components.loaded();
        this.config = loaded.config().admin();
        this.platform = components.platform();
        this.network = components.network();
        this.admission = components.admission();
        this.observation = components.observation();
        this.serving = components.serving();
        this.operation = components.operation();
        this.sequence = components.sequence();
    }

    /** @param inForce returns the configuration in force */
    ContextWatch context(Supplier<GatewayConfig> inForce) {
        return sequence.add(
                new ContextWatch(sources(inForce), ContextMapping.baseline(config), observation.registry()));
    }

    private List<ContextSource> sources(Supplier<GatewayConfig> inForce) {
        return Stream.of(
                        ContextSources.connections(
                                network.transport(),
                                network.settings().upstreamSockets(null),
                                network.monitor(),
                                serving::upstreams,
                                admission.ledger()),
                        ContextSources.libraries(
                                admission.auth(),
                                network.settings().allocator(),
                                network.tls().engine(),
                                () -> ContextMapping.hasTls(inForce.get())),
                        ContextSources.process(ContextMapping.needs(loaded.config(), serving.shares())),
                        ContextSources.detectors(
                                serving::upstreams, observation.spends().checks(), observation.registry()),
                        List.<ContextSource>of(new RingContext(network.tls().ring())),
                        List.<ContextSource>of(() ->
                                List.of(ContextItem.fact("postern.version", Version.OURS + ", " + Version.COMMIT))))
                .flatMap(List::stream)
                .toList();
    }

    /** @param reload applied by POST /reload */
    AdminEndpointTable endpoints(
            ContextWatch context, BooleanSupplier started, BooleanSupplier draining, AdminEndpointTable.Change reload) {
        PartHealth health = new PartHealth(
                admission.ledger(), admission.auth(), admission.limits(), observation.certificates(), context);
        Probes probes = new Probes(
                new LoopProbe(network.loops()),
                started,
                draining,
                serving.state()::reason,
                health.sources(),
                AdminMapping.required(config));
        AdminEndpoints endpoints = new AdminEndpoints(
                admission.auth(), admission.limits(), context, observation.failures(), observation.registry());
        LiveSource source = new LiveSource(
                observation.registry(),
                observation.times().histogram(),
                observation.spends().checks(),
                admission.auth().verifications(),
                endpoints.live(probes, Version.OURS));
        return endpoints.table(probes, sequence.add(new LiveFeed(source)), reload);
    }

    /** Opens the admin address. */
    AdminServer server(AdminEndpointTable table) {
        AdminServer server = sequence.add(new AdminServer(
                new AdminServer.Settings(config.address().resolve(), config.allowHosts(), operation.tls()),
                platform.admin(),
                platform.ticker(),
                operation.access(),
                table));
        network.selfAddresses().add(server.address());
        return server;
    }

    /** Opens the address that serves probes alone; null when none is configured. */
    @Nullable
    ProbeServer probes(Probes probes) {
        HostPort apart = config.probesAddress();
        if (apart == null) {
            return null;
        }
        ProbeServer server = sequence.add(new ProbeServer(apart.resolve(), platform.admin(), probes));
        network.selfAddresses().add(server.address());
        return server;
    }
}
