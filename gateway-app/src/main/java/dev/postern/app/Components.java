package dev.postern.app;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.log.ExchangeLog;
import dev.postern.app.log.FailureBuffer;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.auth.Auth;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.tls.CertificateExpiry;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.AtomicSnapshot;
import dev.postern.core.upstream.Connector;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;

/**
 * Components of one gateway, assembled before the first client connects. The components live as long as the process.
 *
 * @param config the configuration that the process was started with
 * @param shares divides the file descriptors among their users
 * @param policy the routing snapshot in force; replaced by {@link ConfigApplier} alone
 * @param sequence closes all components
 */
record Components(
        LoadedConfig config,
        SocketMapping mapping,
        PrometheusMeterRegistry registry,
        StageTimes times,
        Transport transport,
        EventLoopGroup loops,
        SocketOptionsMonitor sockets,
        ExtensionLoader loader,
        Connector connector,
        SpendLedger ledger,
        Auth auth,
        RateLimits limits,
        ExchangeLog log,
        FailureBuffer buffer,
        SpendMeters spends,
        ConnectionHandlers handlers,
        DescriptorShares shares,
        CertificateExpiry expiry,
        ProxyServer server,
        LoadShedState state,
        AtomicSnapshot<RoutingSnapshot> policy,
        SelfAddresses own,
        CloseSequence sequence) {}
