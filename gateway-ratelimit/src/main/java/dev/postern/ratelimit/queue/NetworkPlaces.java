package dev.postern.ratelimit.queue;

import java.util.HashMap;
import java.util.Map;

/** Numbers of places by client network. Has an entry only for a network with a place, so it is never larger than the queue. */
final class NetworkPlaces {

    private final Map<String, Integer> counts = new HashMap<>();

    /** Returns the number of places of a network; 0 for the empty name, which is not counted. */
    int of(String network) {
        return counts.getOrDefault(network, 0);
    }

    void taken(String network) {
        if (!network.isEmpty()) {
            counts.merge(network, 1, Integer::sum);
        }
    }

    void left(String network) {
        counts.computeIfPresent(network, (name, count) -> count > 1 ? count - 1 : null);
    }

    /** Returns the number of networks with a place. */
    int size() {
        return counts.size();
    }
}
