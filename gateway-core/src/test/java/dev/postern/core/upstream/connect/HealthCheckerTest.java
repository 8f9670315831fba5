package dev.postern.core.upstream.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Share;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.endpoint.UpstreamSettings.ProxyProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what one check asks and when it counts as passed; one result decides about the endpoint. */
@ExtendWith(LeakExtension.class)
class HealthCheckerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final FakeLoops loops = new FakeLoops();
    private final FakeOpener opener = new FakeOpener(loops);
    private final EventLoop loop = loops.loop();
    private @Nullable FakeStream stream;
    private @Nullable FakeConnection connection;
    private Endpoint endpoint = endpoint(InetSocketAddress.createUnresolved("app.example", 8080));

    private static UpstreamSettings.Check check(@Nullable String host) {
        return new UpstreamSettings.Check("/healthz", host, Duration.ofSeconds(5), TIMEOUT, 1, 1);
    }

    private static Endpoint endpoint(SocketAddress address) {
        return endpoint(address, null);
    }

    private static Endpoint endpoint(SocketAddress address, @Nullable Field host) {
        return new Endpoint(
                address,
                1,
                host,
                new EndpointHealth(new UpstreamSettings.Health(
                        5, Duration.ofSeconds(1), Duration.ofSeconds(30), new Share(0.5), Duration.ZERO, check(null))));
    }

    private UpstreamStream http1(Channel channel, UpstreamStream.Owner owner) {
        FakeStream opened = new FakeStream("check", owner, channel);
        stream = opened;
        return opened;
    }

    private UpstreamConnection http2(Channel channel, UpstreamConnection.Owner owner, UpstreamConnection.Terms terms) {
        FakeConnection opened = new FakeConnection("check", channel, owner, terms);
        connection = opened;
        return opened;
    }

    private void run(@Nullable String host, boolean multiplexed, ProxyProtocol proxyProtocol) {
        HealthChecker.run(
                new ConnectSpec(opener, this::http1, multiplexed ? this::http2 : null, loop, proxyProtocol),
                check(host),
                endpoint);
    }

    /** Begins a check over a connection of HTTP/1.1. */
    private FakeStream ask() {
        run(null, false, ProxyProtocol.OFF);
        opener.attempt(opener.count()).succeed();
        return stream();
    }

    private FakeStream stream() {
        if (stream == null) {
            throw new IllegalStateException("stream: none (expected: one)");
        }
        return stream;
    }

    /** Begins a check over a connection of HTTP/2, up to the TCP handshake. */
    private FakeConnection connect() {
        run(null, true, ProxyProtocol.OFF);
        opener.attempt(1).succeed();
        if (connection == null) {
            throw new IllegalStateException("connection: none (expected: one)");
        }
        return connection;
    }

    private boolean usable() {
        return endpoint.health().usable(loops.now());
    }

    /** Makes the endpoint unusable, so that a passed check shows. */
    private void markUnfit() {
        endpoint.health().checked(false, loops.now());
        assertThat(usable()).isFalse();
    }

    // ---- what it asks

    @ParameterizedTest
    @CsvSource({"app.example, GET app.example:8080 /healthz", "2001:db8::1, GET [2001:db8:0:0:0:0:0:1]:8080 /healthz"})
    void asksForThePathWithTheEndpointAsHost(String host, String request) {
        endpoint = endpoint(
                host.contains(":")
                        ? new InetSocketAddress(host, 8080)
                        : InetSocketAddress.createUnresolved(host, 8080));
        assertThat(ask().request()).isEqualTo(request);
        assertThat(stream().timeout()).isEqualTo(TIMEOUT);
        assertThat(opener.attempt(1).address()).isEqualTo(endpoint.address());
    }

    @Test
    void asksForTheConfiguredHost() {
        run("site.example", false, ProxyProtocol.OFF);
        opener.attempt(1).succeed();
        assertThat(stream().request()).isEqualTo("GET site.example /healthz");
        assertThat(stream().fields()).containsExactlyInAnyOrder("host: site.example", "user-agent: postern");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"none, GET shop.example /healthz", "site.example, GET site.example /healthz"})
    void asksForTheHostOfRequestsUnlessTheCheckHasItsOwn(@Nullable String host, String request) {
        endpoint = endpoint(
                InetSocketAddress.createUnresolved("app.example", 8080), Field.of(FieldName.HOST, "shop.example"));
        run(host, false, ProxyProtocol.OFF);
        opener.attempt(1).succeed();
        assertThat(stream().request()).isEqualTo(request);
    }

    @Test
    void aUnixSocketHasTheHostLocalhost() {
        endpoint = endpoint(new DomainSocketAddress("/run/app.sock"));
        assertThat(ask().request()).isEqualTo("GET localhost /healthz");
    }

    @ParameterizedTest
    @CsvSource({"OFF, false", "V1, true", "V2, true"})
    void beginsWithTheHeaderOfTheProxyProtocol(ProxyProtocol version, boolean header) {
        run(null, false, version);
        assertThat(opener.attempt(1).handler() instanceof ProxyProtocolEncoder).isEqualTo(header);
    }

    // ---- what passes

    @ParameterizedTest
    @CsvSource({"200, true", "204, true", "301, true", "399, true", "400, false", "404, false", "503, false"})
    void statusBelow400Passes(int status, boolean passes) {
        if (passes) {
            markUnfit();
        }
        FakeStream asked = ask();
        UpstreamResponseHandler handler = asked.handler();
        handler.interim(new ResponseHead().status(103));
        assertThat(usable()).as("an interim response is no result").isEqualTo(!passes);
        handler.head(new ResponseHead().status(status));
        assertThat(usable()).isEqualTo(passes);
        assertThat(asked.closed()).isTrue();
        assertThat(opener.attempt(1).channel().isActive()).isFalse();
    }

    @Test
    void aResponseTheGatewayWaitsForTooLongFails() {
        ask().handler().late();
        assertThat(usable()).isFalse();
        assertThat(stream().closed()).isTrue();
    }

    @Test
    void aConnectionThatEndsFails() {
        ask().handler().failed(Refusal.UPSTREAM_CLOSED, true);
        assertThat(usable()).isFalse();
    }

    @Test
    void aRefusedConnectionFails() {
        run(null, false, ProxyProtocol.OFF);
        opener.attempt(1).fail(new ConnectException("refused"));
        assertThat(usable()).isFalse();
    }

    @Test
    void aConnectThatTakesTooLongFails() {
        run(null, false, ProxyProtocol.OFF);
        loops.pass(TIMEOUT.minusMillis(1));
        assertThat(usable()).isTrue();
        loops.pass(Duration.ofMillis(1));
        assertThat(usable()).isFalse();
    }

    @Test
    void aMissingFileDescriptorSaysNothingAboutTheEndpoint() {
        run(null, false, ProxyProtocol.OFF);
        opener.attempt(1).fail(new IOException("Too many open files"));
        assertThat(usable()).isTrue();
    }

    @Test
    void theFirstResultCounts() {
        FakeStream asked = ask();
        UpstreamResponseHandler handler = asked.handler();
        handler.head(new ResponseHead().status(200));
        handler.failed(Refusal.UPSTREAM_CLOSED, false);
        assertThat(usable()).isTrue();
    }

    @Test
    void theBodyIsDropped() {
        UpstreamResponseHandler handler = ask().handler();
        ByteBuf body = Unpooled.buffer().writeByte('x');
        handler.content(body);
        assertThat(body.refCnt()).isZero();
        handler.complete();
        handler.readComplete();
        handler.writable();
        assertThat(usable()).isTrue();
    }

    @Test
    void aConnectionIsNotKept() {
        FakeStream asked = ask();
        asked.finish();
        assertThat(asked.closed()).isTrue();
    }

    // ---- HTTP/2

    @Test
    void asksWhenTheConnectionIsReady() {
        markUnfit();
        FakeConnection opened = connect();
        assertThat(opened.opened()).isEmpty();
        assertThat(opened.terms()).isEqualTo(new UpstreamConnection.Terms("health check", 1, TIMEOUT, TIMEOUT));
        opened.ready(100);
        FakeStream asked = opened.opened().get(0);
        assertThat(asked.request()).isEqualTo("GET app.example:8080 /healthz");
        asked.handler().head(new ResponseHead().status(200));
        assertThat(usable()).isTrue();
        assertThat(opener.attempt(1).channel().isActive()).isFalse();
    }

    @Test
    void aConnectionThatIsNotReadyInTimeFails() {
        connect();
        loops.pass(TIMEOUT.minusMillis(1));
        assertThat(usable()).isTrue();
        loops.pass(Duration.ofMillis(1));
        assertThat(usable()).isFalse();
        assertThat(opener.attempt(1).channel().isActive()).isFalse();
    }

    @Test
    void aConnectionThatEndsBeforeItIsReadyFails() {
        FakeConnection opened = connect();
        opened.goAway();
        assertThat(usable()).as("the end of the connection follows").isTrue();
        opened.lose(Refusal.UPSTREAM_MALFORMED);
        assertThat(usable()).isFalse();
    }
}
