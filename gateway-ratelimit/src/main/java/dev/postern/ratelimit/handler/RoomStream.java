package dev.postern.ratelimit.handler;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.exchange.Answer;
import dev.postern.core.exchange.Exchange;
import dev.postern.ratelimit.waiting.Place;
import dev.postern.ratelimit.waiting.WaitingReply;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client's place as server-sent events (HTML Living Standard, section 9.2). Asks as often as the page would by itself, so a stream costs
 * the store no more. Confined to the event loop of its exchange, except {@link #end}.
 */
final class RoomStream {

    private final Exchange exchange;
    private final Waiter waiter;
    private final Tools tools;
    private final long until;
    private @Nullable Future<?> next;
    private boolean over;

    /** @param until when it has to end, in microseconds of the tools' clock */
    RoomStream(Exchange exchange, Waiter waiter, Tools tools, long until) {
        this.exchange = exchange;
        this.waiter = waiter;
        this.tools = tools;
        this.until = until;
    }

    void start() {
        exchange.whenEnded(ended -> stop());
        waiter.ask(place -> {
            if (!over) {
                exchange.outcome().status(200);
                exchange.answer().head(WaitingReply.streamHead(waiter.cookie()));
                tell(place);
            }
        });
    }

    /** From any thread: nothing more is told, the client may come again. */
    void end() {
        exchange.loop().execute(this::finish);
    }

    private void tell(Place place) {
        Answer answer = exchange.answer();
        // Whoever reads too slowly misses an event: the next one says all that this one would have said.
        if (answer.writable()) {
            answer.data(Unpooled.copiedBuffer(WaitingReply.eventText(place), US_ASCII));
            answer.flush();
        }
        long wait = TimeUnit.SECONDS.toMicros(place.retrySeconds());
        if (place.settled() || tools.now() + wait > until) {
            finish();
        } else {
            long jitter = ThreadLocalRandom.current().nextLong(wait / 8 + 1);
            next = exchange.loop().schedule(this::again, wait - jitter, TimeUnit.MICROSECONDS);
        }
    }

    private void again() {
        if (!over) {
            waiter.ask(place -> {
                if (!over) {
                    tell(place);
                }
            });
        }
    }

    private void finish() {
        if (!over) {
            stop();
            exchange.answer().end();
        }
    }

    private void stop() {
        over = true;
        Future<?> due = next;
        if (due != null) {
            due.cancel(false);
        }
    }
}
