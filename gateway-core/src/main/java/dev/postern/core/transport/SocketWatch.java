package dev.postern.core.transport;

import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets what we want on each new socket and reads back, on the first and then on some, what the kernel made of it; kept by listener and
 * upstream for the report of the hidden context. Thread-safe.
 */
public final class SocketWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SocketWatch.class);
    private static final int EVERY = 256;

    private final Map<String, Watched> places = new ConcurrentHashMap<>();

    /** What was wanted and what was found at one listener or upstream. */
    public record Seen(String place, SocketSettings wanted, SocketFacts found) {}

    private static final class Watched {

        private final SocketSettings wanted;
        private final AtomicLong sockets = new AtomicLong();
        private volatile SocketFacts found = new SocketFacts(false, "");

        Watched(SocketSettings wanted) {
            this.wanted = wanted;
        }
    }

    /** @param place {@code listener NAME} or {@code upstream NAME} */
    public void apply(String place, SocketSettings settings, Channel channel) {
        Watched watched = places.computeIfAbsent(place, p -> new Watched(settings));
        boolean taken = settings.apply(channel);
        long number = watched.sockets.getAndIncrement();
        if (number % EVERY == 0) {
            watched.found = SocketSettings.readBack(channel);
        }
        if (number == 0 && !taken) {
            LOG.warn(
                    "{}: congestion control {} is not to be had here; the system's own ({}) is in force",
                    place,
                    settings.congestionControl(),
                    watched.found.congestionControl());
        }
    }

    /** Every place that had a socket so far. */
    public List<Seen> seen() {
        return places.entrySet().stream()
                .map(e -> new Seen(e.getKey(), e.getValue().wanted, e.getValue().found))
                .sorted((a, b) -> a.place().compareTo(b.place()))
                .toList();
    }
}
