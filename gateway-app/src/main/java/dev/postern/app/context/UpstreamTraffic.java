package dev.postern.app.context;

import dev.postern.core.upstream.Upstream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Traffic on connections to upstreams under load: a storm of new connections, or exchanges that wait for one. Both cost more than the
 * requests themselves, and no other item shows them.
 */
final class UpstreamTraffic implements ContextSource {

    private static final double STORM = 0.2;
    private static final int LEAST_REQUESTS = 20;

    private final Supplier<Map<String, Upstream.Traffic>> traffic;
    private final Map<String, Watched> watched = new HashMap<>();

    /** @param traffic returns the traffic of the upstreams in force, by name */
    UpstreamTraffic(Supplier<Map<String, Upstream.Traffic>> traffic) {
        this.traffic = traffic;
    }

    /** Watched upstream with its last observation. */
    private static final class Watched {

        private final Debounce storm = new Debounce();
        private final Debounce waiting = new Debounce();
        private Upstream.Traffic last;
        private double opened = Double.NaN;
        private boolean stormy;

        Watched(Upstream.Traffic first) {
            last = first;
        }

        /** Observes the traffic. Few requests are not significant; the counts continue until there are enough. */
        void check(Upstream.Traffic current) {
            long requests = current.requests() - last.requests();
            if (requests >= LEAST_REQUESTS) {
                opened = (double) (current.connects() - last.connects()) / requests;
                stormy = storm.after(opened >= STORM);
                last = current;
            }
        }
    }

    @Override
    public List<ContextItem> items() {
        Map<String, Upstream.Traffic> all = traffic.get();
        watched.keySet().retainAll(all.keySet());
        List<ContextItem> items = new ArrayList<>();
        all.forEach((name, current) -> {
            Watched of = watched.computeIfAbsent(name, any -> new Watched(current));
            of.check(current);
            items.add(storm(name, of));
            items.add(waiting(name, current.waiting(), of.waiting.after(current.waiting() > 0)));
        });
        return items;
    }

    private static ContextItem storm(String name, Watched of) {
        return ContextItem.state(
                "upstream " + name + ".new-connections-per-request",
                "less than " + STORM,
                Double.isNaN(of.opened) ? "" : String.format(Locale.ROOT, "%.2f", of.opened),
                !of.stormy,
                "Connections are opened and closed for the requests: look for a server that closes after each response (keep-alive"
                        + " off, or for few requests), for pool.keep-alive: false, or for too small a pool.idle.");
    }

    private static ContextItem waiting(String name, int waiting, boolean repeated) {
        return ContextItem.state(
                "upstream " + name + ".waiting",
                "0",
                Integer.toString(waiting),
                !repeated,
                "All of pool.max-connections are in use: look for a slow server, or allow more.");
    }
}
