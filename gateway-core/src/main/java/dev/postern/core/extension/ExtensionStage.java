package dev.postern.core.extension;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.PageNote;
import dev.postern.core.exchange.Question;
import dev.postern.core.http.Refusal;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.spi.Decision;
import dev.postern.core.spi.Stage;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Stage that runs all extension stages of one position in order. An exception or a late decision refuses the exchange. */
final class ExtensionStage extends ExchangeStage {

    private final List<Stage> stages;
    private final ExtensionErrors errors;

    /** @param accounted name of the stage that the time is recorded for */
    ExtensionStage(List<Stage> stages, dev.postern.core.exchange.StageName accounted, ExtensionErrors errors) {
        super(accounted);
        this.stages = List.copyOf(stages);
        this.errors = errors;
    }

    @Override
    protected void onExchange(Exchange exchange) {
        new Run(exchange).go(0);
    }

    /** Run of one exchange through the stages. */
    private final class Run {

        private final Exchange exchange;
        private final RequestView view;

        Run(Exchange exchange) {
            this.exchange = exchange;
            this.view = new RequestView(exchange);
        }

        void go(int from) {
            for (int i = from; i < stages.size(); i++) {
                Decision decision = ask(stages.get(i));
                if (decision == null) {
                    return;
                }
                Decision.Later later = decision.later();
                if (later != null) {
                    await(i, later);
                    return;
                }
                if (refused(decision)) {
                    return;
                }
            }
            proceed(exchange);
        }

        private @Nullable Decision ask(Stage stage) {
            try {
                return Objects.requireNonNull(stage.decide(view), "decision");
            } catch (RuntimeException | LinkageError e) { // LinkageError: built against other libraries
                failed(stage, e);
                return null;
            }
        }

        private boolean refused(Decision decision) {
            Decision.Refused refused = decision.refused();
            if (refused != null && !exchange.ended()) {
                exchange.outcome().refusal(Refusal.EXTENSION_REFUSED);
                exchange.outcome().reason(refused.code());
                if (Question.isAnsweredBy(exchange)) {
                    exchange.put(
                            PageNote.KEY, new PageNote(PageNote.EXTENSION, refused.code() + '\n' + refused.detail()));
                }
                exchange.reply(LocalReply.of(refused, exchange));
            }
            return refused != null;
        }

        private void await(int index, Decision.Later later) {
            Stage stage = stages.get(index);
            boolean[] settled = {false}; // only accessed on the exchange's loop
            ScheduledFuture<?> late = exchange.loop()
                    .schedule(
                            () -> settle(settled, index, null, new TimeoutException("after " + later.timeout())),
                            later.timeout().toNanos(),
                            TimeUnit.NANOSECONDS);
            later.decision().whenComplete((decision, cause) -> {
                try {
                    exchange.loop().execute(() -> {
                        late.cancel(false);
                        settle(settled, index, decision, cause);
                    });
                } catch (RejectedExecutionException e) {
                    errors.note(stage, "decided when the gateway had ended", e);
                }
            });
        }

        private void settle(boolean[] settled, int index, @Nullable Decision decision, @Nullable Throwable cause) {
            if (settled[0] || exchange.ended()) {
                return;
            }
            settled[0] = true;
            if (decision == null || cause != null || decision.later() != null) {
                failed(
                        stages.get(index),
                        cause != null ? cause : new IllegalStateException("no decision (expected: pass or refuse)"));
            } else if (!refused(decision)) {
                go(index + 1);
            }
        }

        private void failed(Stage stage, Throwable cause) {
            errors.note(stage, "decide", cause);
            exchange.outcome().reason("extension");
            refuse(exchange, Refusal.EXTENSION_FAILED);
        }
    }
}
