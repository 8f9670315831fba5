package dev.postern.app;

import dev.postern.app.admin.AdminAccess;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.log.ExchangeLog;
import dev.postern.app.log.FailureBuffer;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.app.trace.Tracing;
import dev.postern.auth.Auth;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.dns.NameServers;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.pipeline.ExchangeMeters;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.proxy.OutboundSockets;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEnvironment;
import dev.postern.core.tls.certificate.CertificateExpiry;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.AtomicSnapshot;
import dev.postern.core.upstream.Upstreams;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import org.jspecify.annotations.Nullable;

/**
 * The assembled components of one gateway, which live as long as the process.
 *
 * @param loaded the configuration that the process was started with
 * @param platform sockets, names and time of the process
 * @param operation what the admin address needs
 * @param sequence closes all of them
 */
record Components(
        LoadedConfig loaded,
        Platform platform,
        Network network,
        Admission admission,
        Observation observation,
        ExtensionLoader loader,
        Serving serving,
        Operation operation,
        CloseSequence sequence) {

    /**
     * How bytes are moved: event loops, sockets, connections to upstreams.
     *
     * @param selfAddresses addresses of this process, to which the forward proxy does not connect
     * @param outbound sockets that exchanges of forward listeners may have; none before the first configuration is applied
     */
    record Network(
            SocketMapping settings,
            Transport transport,
            TlsEnvironment tls,
            EventLoopGroup loops,
            SocketOptionsMonitor monitor,
            NameServers nameServers,
            Connector connector,
            SelfAddresses selfAddresses,
            OutboundSockets outbound) {}

    /** Which clients are admitted, and when. */
    record Admission(ProcessRing ring, SpendLedger ledger, Auth auth, RateLimits limits) {

        /** Returns whether the stores of ledger, rooms and limits are connected. */
        boolean connected() {
            return ledger.health().healthy() && limits.healthy();
        }
    }

    /** What operators see. */
    record Observation(
            PrometheusMeterRegistry registry,
            StageTimes times,
            ExchangeMeters exchanges,
            SpendMeters spends,
            ExchangeLog log,
            FailureBuffer failures,
            Tracing tracing,
            CertificateExpiry certificates) {}

    /**
     * What accepts clients.
     *
     * @param shares how many file descriptors each part of the process may have
     * @param snapshot rules exchanges; exchanged by {@link ConfigApplier} alone
     */
    record Serving(
            ProxyServer server,
            ConnectionHandlers connections,
            DescriptorShares shares,
            LoadShedState state,
            OverloadWatch overload,
            AtomicSnapshot<RoutingSnapshot> snapshot) {

        /** Returns the upstreams in force. */
        Upstreams upstreams() {
            return snapshot.get().upstreams();
        }
    }

    /**
     * What the admin address has of the configuration.
     *
     * @param access who may read and change
     * @param tls null for plain TCP
     */
    record Operation(AdminAccess access, @Nullable ServerTls tls) {}
}
