package dev.postern.core.proxy;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.RequestId;
import dev.postern.core.exchange.RequestIdSettings;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.FakeRequestBody;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Exchange of a reverse listener without sockets: a test plays its client and moves its time. */
final class ExchangeFixture {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final RecordedResponse response = new RecordedResponse();
    private final FakeRequestBody body = new FakeRequestBody();
    private final RequestHead request = new RequestHead().authority("site.example");
    private Duration timeout = Duration.ZERO;
    private long maxBody;
    private MinBodyRate minBodyRate = MinBodyRate.NONE;
    private RouteTransform transform = RouteTransform.PLAIN;
    private @Nullable Exchange exchange;

    ExchangeFixture() {
        ticker.advance(1, TimeUnit.HOURS);
        request.target("/", "");
    }

    /** Makes the request a POST with a chunked body. */
    ExchangeFixture post() {
        request.method(Method.POST).bodyLength(RequestHead.CHUNKED);
        return this;
    }

    ExchangeFixture timeout(Duration value) {
        timeout = value;
        return this;
    }

    ExchangeFixture maxBody(long bytes) {
        maxBody = bytes;
        return this;
    }

    ExchangeFixture minBodyRate(long bytesPerSecond) {
        minBodyRate = MinBodyRate.of(bytesPerSecond);
        return this;
    }

    ExchangeFixture transform(RouteTransform value) {
        transform = value;
        return this;
    }

    RequestHead request() {
        return request;
    }

    FakeRequestBody body() {
        return body;
    }

    RecordedResponse response() {
        return response;
    }

    EventLoop loop() {
        return channel.eventLoop();
    }

    long now() {
        return ticker.nanoTime();
    }

    MockTicker ticker() {
        return ticker;
    }

    /** Lets that time pass, and runs what is due. */
    void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** Returns the exchange, created at the first call. */
    Exchange exchange() {
        Exchange made = exchange;
        if (made == null) {
            ListenerInfo listener = new ListenerInfo(
                    "in",
                    ListenerInfo.Mode.REVERSE,
                    "",
                    "",
                    CidrSet.NONE,
                    List.of(),
                    ListenerInfo.Forwarded.AUTO,
                    false,
                    new RequestId(KeyDefaults.of(RequestIdSettings.class)),
                    ClientNetworks.WELL_KNOWN,
                    null,
                    null);
            ClientConnection client = new ClientConnection(
                    listener, loop(), NetUtil.createInetAddressFromIpAddressString("192.0.2.7"), 4711, true);
            RequestBody itsBody = request.hasBody() ? body : RequestBody.EMPTY;
            Exchange.Carrier carrier = new Exchange.Carrier(itsBody, response, PipelineTurn.NOW);
            made = response.of(new Exchange(client, request, carrier, new Timeline(ticker)));
            route().assignTo(RoutingSnapshot.of(List.of()).rule(made));
            exchange = made;
        }
        return made;
    }

    private Route route() {
        return new Route(
                "*/",
                "*",
                "/",
                "app",
                Route.Token.OFF,
                null,
                Preflight.REFUSE,
                timeout,
                maxBody,
                ChallengeRule.DEFAULT,
                transform,
                minBodyRate);
    }
}
