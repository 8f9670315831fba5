package dev.postern.core.upstream.pool;

import dev.postern.core.config.Share;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.TcpKeepAlive;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.HostRule;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.List;

/** Settings of a pool under test: 1 s to connect, 10 connections, 10 places to wait, 55 s idle, one endpoint, one event loop. */
final class PoolSetup {

    static final Duration CONNECT = Duration.ofSeconds(1);

    private boolean keepAlive = true;
    private int connections = 10;
    private int pending = 10;
    private Duration idle = Duration.ofSeconds(55);
    private Duration lifetime = Duration.ZERO;
    private int requests;
    private int streams = 100;
    private double share = 1;
    private int loops = 1;
    private int endpoints = 1;
    private UpstreamSettings.ProxyProtocol proxyProtocol = UpstreamSettings.ProxyProtocol.OFF;

    PoolSetup keepAlive(boolean value) {
        keepAlive = value;
        return this;
    }

    PoolSetup connections(int max) {
        connections = max;
        return this;
    }

    PoolSetup pending(int max) {
        pending = max;
        return this;
    }

    PoolSetup idle(Duration max) {
        idle = max;
        return this;
    }

    PoolSetup lifetime(Duration max) {
        lifetime = max;
        return this;
    }

    PoolSetup requests(int max) {
        requests = max;
        return this;
    }

    PoolSetup streams(int max) {
        streams = max;
        return this;
    }

    PoolSetup share(double ofOneNetwork) {
        share = ofOneNetwork;
        return this;
    }

    PoolSetup loops(int count) {
        loops = count;
        return this;
    }

    PoolSetup endpoints(int count) {
        endpoints = count;
        return this;
    }

    PoolSetup proxyProtocol() {
        proxyProtocol = UpstreamSettings.ProxyProtocol.V2;
        return this;
    }

    PoolFixture http1() {
        return new PoolFixture(settings(), endpoints, loops, false);
    }

    PoolFixture http2() {
        return new PoolFixture(settings(), endpoints, loops, true);
    }

    private UpstreamSettings settings() {
        return new UpstreamSettings(
                "app",
                List.of(),
                new UpstreamSettings.Balance(UpstreamSettings.Balance.Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS),
                new UpstreamSettings.Timeouts(CONNECT, Duration.ofSeconds(60), Duration.ofSeconds(30)),
                new UpstreamSettings.Pool(
                        keepAlive, connections, pending, idle, true, lifetime, requests, streams, new Share(share)),
                KeyDefaults.of(UpstreamSettings.Retry.class),
                KeyDefaults.of(UpstreamSettings.Health.class),
                KeyDefaults.of(UpstreamSettings.Breaker.class),
                new SocketOptions(true, "", 0, TcpKeepAlive.OFF, UnpooledByteBufAllocator.DEFAULT),
                proxyProtocol,
                UpstreamSettings.Expect.FORWARD,
                HostRule.PASS);
    }
}
