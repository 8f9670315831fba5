package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.MemoryNames;
import dev.postern.core.testing.RecordedResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.ConnectException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which proxy an exchange gets, by the refusal that only that proxy gives here. */
class ProxyStageTest {

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final OutboundSockets sockets = new OutboundSockets(0);
    private final ProxyStage stage = new ProxyStage(
            new ReverseProxy(new Via("postern")),
            new ForwardProxy(
                    (itsLoop, address, halfClosure) -> loop.newFailedFuture(new ConnectException("refused")),
                    (channel, owner) -> {
                        throw new AssertionError("nothing is connected");
                    },
                    new Via("postern"),
                    new DestinationLookup(
                            new MemoryNames((name, found) -> {}), ForwardFixture.destinations(own -> false), sockets),
                    new UdpForward(
                            (itsLoop, address) -> loop.newFailedFuture(new ConnectException("refused")),
                            sockets,
                            new SimpleMeterRegistry()),
                    sockets));

    private Exchange forward() {
        RequestHead head = new RequestHead().method(Method.CONNECT).authority("192.31.196.1:443");
        return ForwardFixture.exchange(
                loop.eventLoop(), head, ForwardFixture.policy(List.of("443"), List.of()), new RecordedResponse());
    }

    @Test
    void reverseListenersGetTheReverseProxy() {
        Exchange exchange = new ExchangeFixture().exchange();
        stage.onExchange(exchange);
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.ROUTE_NOT_FOUND);
    }

    @Test
    void forwardListenersGetTheForwardProxy() {
        Exchange exchange = forward();
        stage.onExchange(exchange);
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.OVERLOADED);
    }

    @Test
    void aPolicyThatAReloadRemovedForbidsAll() {
        Exchange exchange = forward();
        RoutingSnapshot.of(List.of()).rule(exchange);
        stage.onExchange(exchange);
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.DESTINATION_FORBIDDEN);
    }
}
