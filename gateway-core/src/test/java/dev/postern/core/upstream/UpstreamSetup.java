package dev.postern.core.upstream;

import dev.postern.core.config.Share;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.TcpKeepAlive;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.FakeConnection;
import dev.postern.core.upstream.connect.FakeLoops;
import dev.postern.core.upstream.connect.FakeStream;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.HostRule;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of an upstream under test, and its connector, which opens no connection in these tests. */
final class UpstreamSetup {

    private List<String> endpoints = List.of("app.example:80");
    private UpstreamSettings.Balance balance =
            new UpstreamSettings.Balance(UpstreamSettings.Balance.Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS);
    private UpstreamSettings.Retry retry = KeyDefaults.of(UpstreamSettings.Retry.class);
    private Duration slowStart = Duration.ZERO;
    private boolean breaker;
    private boolean multiplexed;
    private UpstreamSettings.ProxyProtocol proxyProtocol = UpstreamSettings.ProxyProtocol.OFF;
    private HostRule host = HostRule.PASS;
    private FakeNames names = new FakeNames();

    UpstreamSetup endpoints(String... texts) {
        endpoints = List.of(texts);
        return this;
    }

    UpstreamSetup roundRobin() {
        balance = new UpstreamSettings.Balance(UpstreamSettings.Balance.Kind.ROUND_ROBIN, HashPolicy.CLIENT_ADDRESS);
        return this;
    }

    UpstreamSetup ringHash(HashPolicy policy) {
        balance = new UpstreamSettings.Balance(UpstreamSettings.Balance.Kind.RING_HASH, policy);
        return this;
    }

    UpstreamSetup retryBudget(double share) {
        retry = new UpstreamSettings.Retry(new Share(share), Duration.ZERO);
        return this;
    }

    UpstreamSetup slowStart(Duration time) {
        slowStart = time;
        return this;
    }

    UpstreamSetup breaker() {
        breaker = true;
        return this;
    }

    UpstreamSetup multiplexed() {
        multiplexed = true;
        return this;
    }

    UpstreamSetup proxyProtocol() {
        proxyProtocol = UpstreamSettings.ProxyProtocol.V2;
        return this;
    }

    UpstreamSetup host(String rule) {
        host = HostRule.of(rule);
        return this;
    }

    UpstreamSetup names(FakeNames known) {
        names = known;
        return this;
    }

    Upstream upstream(FakeLoops loops) {
        return replacing(null, loops);
    }

    /** @param previous the upstream whose counts continue, or null */
    Upstream replacing(@Nullable Upstream previous, FakeLoops loops) {
        return new Upstream(settings(), connector(loops), previous);
    }

    Connector connector(FakeLoops loops) {
        return new Connector(
                        Transport.open(Transport.Kind.NIO),
                        new SocketOptionsMonitor(),
                        names,
                        (channel, owner) -> new FakeStream("", owner, channel),
                        loops.ticker())
                .multiplexed(
                        multiplexed ? (channel, owner, terms) -> new FakeConnection("", channel, owner, terms) : null);
    }

    UpstreamSettings settings() {
        UpstreamSettings.Health health = KeyDefaults.of(UpstreamSettings.Health.class);
        UpstreamSettings.Breaker off = KeyDefaults.of(UpstreamSettings.Breaker.class);
        return new UpstreamSettings(
                "app",
                endpoints,
                balance,
                KeyDefaults.of(UpstreamSettings.Timeouts.class),
                KeyDefaults.of(UpstreamSettings.Pool.class),
                retry,
                new UpstreamSettings.Health(
                        health.failures(),
                        health.ejection(),
                        health.maxEjection(),
                        health.panic(),
                        slowStart,
                        health.check()),
                new UpstreamSettings.Breaker(
                        breaker,
                        off.failureRateThreshold(),
                        off.slidingWindowSize(),
                        off.minimumNumberOfCalls(),
                        off.waitDurationInOpenState(),
                        off.permittedNumberOfCallsInHalfOpenState()),
                new SocketOptions(true, "", 0, TcpKeepAlive.OFF, UnpooledByteBufAllocator.DEFAULT),
                proxyProtocol,
                UpstreamSettings.Expect.FORWARD,
                host);
    }
}
