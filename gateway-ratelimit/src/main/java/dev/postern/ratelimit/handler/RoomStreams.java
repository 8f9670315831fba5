package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The open streams of this node, one for each session: a new one takes the place of the old one. Thread-safe. */
final class RoomStreams {

    /** So that none delays a process that goes down, or keeps a client on a node that others should serve. */
    private static final long LONGEST_MICROS = TimeUnit.SECONDS.toMicros(30);

    private final Tools tools;
    private final Map<String, RoomStream> open = new ConcurrentHashMap<>();

    RoomStreams(Tools tools) {
        this.tools = tools;
    }

    /**
     * Tells that client its place until the cookie that it got at the beginning is about to be too old for a room that lost its memory; then
     * the client comes again.
     *
     * @param absence after which one who waits has left
     */
    void open(Exchange exchange, Waiter waiter, Duration absence) {
        long life = Math.min(TimeUnit.NANOSECONDS.toMicros(absence.toNanos()) / 2, LONGEST_MICROS);
        RoomStream stream = new RoomStream(exchange, waiter, tools, tools.now() + life);
        RoomStream earlier = open.put(waiter.session(), stream);
        if (earlier != null) {
            earlier.end();
        }
        exchange.whenEnded(ended -> open.remove(waiter.session(), stream));
        stream.start();
    }
}
