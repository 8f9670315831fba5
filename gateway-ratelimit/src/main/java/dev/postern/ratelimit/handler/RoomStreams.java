package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The open streams of this node, one for each session: a new one takes the place of the old one. Thread-safe. */
final class RoomStreams {

    private final Tools tools;
    private final Map<String, RoomStream> open = new ConcurrentHashMap<>();

    RoomStreams(Tools tools) {
        this.tools = tools;
    }

    /** @param life how long it lasts at most; then the client comes again, and gets a cookie that is up to date */
    void open(Exchange exchange, Waiter waiter, Duration life) {
        RoomStream stream =
                new RoomStream(exchange, waiter, tools, tools.now() + TimeUnit.NANOSECONDS.toMicros(life.toNanos()));
        RoomStream earlier = open.put(waiter.session(), stream);
        if (earlier != null) {
            earlier.end();
        }
        exchange.whenEnded(ended -> open.remove(waiter.session(), stream));
        stream.start();
    }
}
