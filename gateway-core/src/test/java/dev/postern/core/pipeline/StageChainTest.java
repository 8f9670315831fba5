package dev.postern.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Tests that exchanges pass stages in order, each once, and get a response whatever a stage does. */
class StageChainTest {

    private final List<String> calls = new ArrayList<>();
    private final RecordedResponse response = new RecordedResponse();

    private final class RecordingStage extends ExchangeStage {

        private final String name;
        private final BiConsumer<RecordingStage, Exchange> what;

        RecordingStage(String name, BiConsumer<RecordingStage, Exchange> what) {
            super(StageName.MATCH);
            this.name = name;
            this.what = what;
        }

        @Override
        protected void onExchange(Exchange exchange) {
            calls.add(name);
            what.accept(this, exchange);
        }
    }

    private RecordingStage passing(String name) {
        return new RecordingStage(name, RecordingStage::proceed);
    }

    private Exchange send(ExchangeStage... stages) {
        EmbeddedChannel channel = new EmbeddedChannel(new StageChain(List.of(stages)));
        Exchange exchange = response.of(RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        TestExchanges.UNTRUSTED,
                        new RequestHead(),
                        new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW),
                        new Timeline(Ticker.newMockTicker()))));
        assertThat(channel.writeInbound(exchange))
                .as("nothing comes out of the channel")
                .isFalse();
        return exchange;
    }

    @Test
    void runsStagesInOrder() {
        send(
                passing("one"),
                new RecordingStage("two", RecordingStage::skip),
                passing("three"),
                new RecordingStage("last", (stage, exchange) -> {}));

        assertThat(calls).containsExactly("one", "two", "three", "last");
    }

    @Test
    void stopsAtAStageThatResponds() {
        RecordingStage refusing = new RecordingStage("refusing", (stage, exchange) -> {
            stage.refuse(exchange, Refusal.ROUTE_NOT_FOUND);
            stage.proceed(exchange);
        });

        send(refusing, passing("next"));

        assertThat(calls).containsExactly("refusing");
        assertThat(response.status()).isEqualTo(404);
    }

    @Test
    void aStageThatFailsLeadsToALocalReply() {
        RecordingStage failing = new RecordingStage("failing", (stage, exchange) -> {
            throw new IllegalStateException("planted");
        });

        send(passing("one"), failing, passing("next"));

        assertThat(calls).containsExactly("one", "failing");
        assertThat(response.status()).isEqualTo(500);
    }

    @Test
    void theLastStageMustRespond() {
        send(passing("one"), passing("last"));

        assertThat(response.status()).isEqualTo(500);
    }

    @Test
    void aStageBelongsToOnePipeline() {
        ExchangeStage shared = passing("shared");
        new StageChain(List.of(shared, passing("one")));

        assertThatIllegalStateException()
                .isThrownBy(() -> new StageChain(List.of(shared, passing("other"))))
                .withMessageContaining("already in a chain");
    }
}
