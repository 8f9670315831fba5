package dev.postern.ratelimit.handler;

import dev.postern.core.transport.AddressOwnerLookup.Response;
import dev.postern.ratelimit.store.FairQueueSettings.Crawler;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which addresses were found to be the crawlers that they say they are, for a while; whoever asks during a search is told at its end. One
 * event loop's.
 */
final class CrawlerCache {

    /** Enough for all of a crawler's addresses; a flood of false ones pushes out only what was used longest ago. */
    static final int MAX = 10_000;

    static final int MAX_SEARCHES = 256;

    private final Map<Claim, Verdict> known = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Claim, List<Consumer<Boolean>>> searches = new HashMap<>();

    /** Who an address says it is. */
    record Claim(InetAddress address, Crawler crawler) {}

    private record Verdict(boolean good, long until) {}

    /** Looks for the owner of an address, and tells once. */
    interface Search {

        void run(Consumer<Response> listener);
    }

    /** @param now in microseconds */
    void ask(Claim claim, long now, Search search, Consumer<Boolean> listener) {
        Verdict verdict = known.get(claim);
        List<Consumer<Boolean>> waiting = searches.get(claim);
        if (verdict != null && now < verdict.until) {
            listener.accept(verdict.good);
        } else if (waiting != null) {
            waiting.add(listener);
        } else if (searches.size() >= MAX_SEARCHES) {
            listener.accept(false); // queues like anybody else, for now
        } else {
            searches.put(claim, new ArrayList<>(List.of(listener)));
            search.run(response -> found(claim, response, now));
        }
    }

    /** How long a response is kept, in microseconds. */
    static long kept(Response response) {
        return switch (response) {
            case YES -> 3_600_000_000L;
            case NO -> 600_000_000L;
            case UNKNOWN -> 10_000_000L;
        };
    }

    private void found(Claim claim, Response response, long now) {
        boolean good = response == Response.YES;
        known.put(claim, new Verdict(good, now + kept(response)));
        if (known.size() > MAX) {
            known.remove(known.keySet().iterator().next());
        }
        List<Consumer<Boolean>> waiting = searches.remove(claim);
        if (waiting != null) {
            waiting.forEach(listener -> listener.accept(good));
        }
    }
}
