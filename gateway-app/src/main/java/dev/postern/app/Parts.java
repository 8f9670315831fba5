package dev.postern.app;

import dev.postern.app.config.read.Loaded;
import dev.postern.auth.Auth;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.lifecycle.ProxyServer;
import dev.postern.core.overload.Shedding;
import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.Upstreams;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;

/**
 * The assembled parts of one gateway, before anybody connects.
 *
 * @param closing closes them all
 */
record Parts(
        Loaded loaded,
        CoreMapping mapping,
        PrometheusMeterRegistry registry,
        Transport transport,
        EventLoopGroup loops,
        SocketWatch sockets,
        Upstreams upstreams,
        SpendLedger ledger,
        Auth auth,
        RateLimits limits,
        ProxyServer server,
        Shedding shedding,
        OwnAddresses own,
        Closing closing) {}
