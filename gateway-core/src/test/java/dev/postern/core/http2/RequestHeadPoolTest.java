package dev.postern.core.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests which heads are used again, and how many are kept. */
class RequestHeadPoolTest {

    private final RequestHeadPool pool = new RequestHeadPool();
    private final ClientConnection client = new ClientConnection(
            new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false),
            new EmbeddedChannel().eventLoop(),
            InetAddress.getLoopbackAddress(),
            4711,
            false);

    private Exchange forwarded() {
        Exchange exchange = new Exchange(
                client,
                new RequestHead(),
                new Exchange.Carrier(RequestBody.EMPTY, new RecordedResponse(), PipelineTurn.NOW),
                new Timeline(Ticker.systemTicker()));
        exchange.outcome().markForwarded();
        return exchange;
    }

    @Test
    void reusesTheHeadOfAForwardedExchange() {
        Exchange exchange = forwarded();
        pool.over(exchange);
        assertThat(pool.next()).isSameAs(exchange.request());
        assertThat(pool.next()).as("once").isNotSameAs(exchange.request());
    }

    /** A stage may still read the head of a refused exchange, and a tunnel has let go of most of it. */
    @Test
    void reusesNoOtherHead() {
        Exchange refused = forwarded();
        refused.outcome().refusal(Refusal.UPSTREAM_CLOSED);
        Exchange tunnel = forwarded();
        tunnel.request().trim();
        pool.over(refused);
        pool.over(tunnel);
        assertThat(pool.next()).isNotIn(refused.request(), tunnel.request());
    }

    @Test
    void keepsFewWhileNoStreamIsOpen() {
        assertThat(kept(200, false)).isEqualTo(128);
        assertThat(kept(200, true)).isEqualTo(4);
        assertThat(kept(3, true)).isEqualTo(3);
    }

    private int kept(int ended, boolean rest) {
        Set<RequestHead> heads = new HashSet<>();
        for (int i = 0; i < ended; i++) {
            Exchange exchange = forwarded();
            heads.add(exchange.request());
            pool.over(exchange);
        }
        if (rest) {
            pool.rest();
        }
        int kept = 0;
        while (heads.contains(pool.next())) {
            kept++;
        }
        return kept;
    }
}
