package dev.postern.app;

import dev.postern.app.config.read.Loaded;
import dev.postern.app.log.Capsules;
import dev.postern.app.log.ExchangeLog;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.auth.Auth;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.connection.Edge;
import dev.postern.core.extension.Extensions;
import dev.postern.core.overload.Shedding;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.route.Policy;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.tls.CertificateExpiry;
import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.Current;
import dev.postern.core.upstream.Connector;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;

/**
 * The assembled parts of one gateway, which live as long as the process, before anybody connects.
 *
 * @param loaded the configuration that the process was started with
 * @param shares who may have how many file descriptors
 * @param policy what rules exchanges; exchanged by {@link Revisions} alone
 * @param closing closes them all
 */
record Parts(
        Loaded loaded,
        SocketMapping mapping,
        PrometheusMeterRegistry registry,
        StageTimes times,
        Transport transport,
        EventLoopGroup loops,
        SocketWatch sockets,
        Extensions extensions,
        Connector connector,
        SpendLedger ledger,
        Auth auth,
        RateLimits limits,
        ExchangeLog log,
        Capsules capsules,
        SpendMeters spends,
        Edge edge,
        DescriptorShares shares,
        CertificateExpiry expiry,
        ProxyServer server,
        Shedding shedding,
        Current<Policy> policy,
        OwnAddresses own,
        Closing closing) {}
