package dev.postern.ratelimit.handler;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.ratelimit.waiting.QueuePosition;
import dev.postern.ratelimit.waiting.WaitingRoomResponse;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Room event stream: a client's queue position as server-sent events (HTML Living Standard, section 9.2). Polls the store as often as the
 * page would, so a stream causes no more load. Confined to the event loop of its exchange.
 */
final class RoomEventStream {

    /** Maximum duration of a stream, so that no stream delays the shutdown of the process. */
    private static final long LONGEST_MICROS = TimeUnit.SECONDS.toMicros(30);

    private final Exchange exchange;
    private final QueuePoller poller;
    private final AdmissionContext context;
    private final long end;
    private @Nullable Future<?> next;

    /**
     * Creates a stream, which ends at half of the absence time; then the client reconnects and gets a new cookie. An older cookie would not
     * restore the place in a room that lost its memory.
     *
     * @param absence time without a request after which a waiting session loses its place
     */
    RoomEventStream(Exchange exchange, QueuePoller poller, AdmissionContext context, Duration absence) {
        this.exchange = exchange;
        this.poller = poller;
        this.context = context;
        this.end = context.now() + Math.min(TimeUnit.NANOSECONDS.toMicros(absence.toNanos()) / 2, LONGEST_MICROS);
    }

    void start() {
        exchange.whenEnded(ended -> stop());
        poller.ask(position -> {
            exchange.outcome().status(200);
            exchange.response().head(WaitingRoomResponse.streamHead(poller.cookie()));
            send(position);
        });
    }

    private void send(QueuePosition position) {
        ResponseSink response = exchange.response();
        long wait = TimeUnit.SECONDS.toMicros(position.retrySeconds());
        boolean last = position.settled() || context.now() + wait > end;
        wait -= ThreadLocalRandom.current().nextLong(wait / 8 + 1);
        // A stream that ends before its next event must not make the client ask earlier.
        long reconnect = last && !position.settled()
                ? TimeUnit.MICROSECONDS.toMillis(wait)
                : WaitingRoomResponse.RECONNECT_MILLIS;
        // A client that reads too slowly misses an event. The next event has the full state.
        if (response.writable()) {
            response.data(Unpooled.copiedBuffer(WaitingRoomResponse.eventText(position, reconnect), US_ASCII));
            response.flush();
        }
        if (last) {
            response.end();
        } else {
            next = exchange.loop().schedule(this::again, wait, TimeUnit.MICROSECONDS);
        }
    }

    private void again() {
        if (poller.outdated()) {
            exchange.response().end(); // the client reconnects and then waits by the current rules
        } else {
            poller.ask(this::send);
        }
    }

    private void stop() {
        Future<?> due = next;
        if (due != null) {
            due.cancel(false);
        }
    }
}
