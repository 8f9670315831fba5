package dev.postern.ratelimit.handler;

import dev.postern.core.dns.AddressOwnerLookup.Response;
import dev.postern.ratelimit.handler.Bypass.Crawler;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Cache of verified crawlers, by address. Requests for an address during its lookup share the result of the lookup. Confined to one event
 * loop.
 */
final class CrawlerCache {

    /** Maximum number of entries: enough for all addresses of a crawler. False claims evict only the least recently used entries. */
    static final int MAX = 10_000;

    static final int MAX_SEARCHES = 256;

    private final Map<Claim, Verdict> known = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Claim, List<Consumer<Boolean>>> searches = new HashMap<>();

    /** Claim of an address to be a crawler. */
    record Claim(InetAddress address, Crawler crawler) {}

    private record Verdict(boolean good, long until) {}

    /** Search for the owner of an address, which calls its listener once. */
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
            listener.accept(false); // waits like other clients, until a lookup is possible
        } else {
            searches.put(claim, new ArrayList<>(List.of(listener)));
            search.run(response -> found(claim, response, now));
        }
    }

    /** Returns how long a response is kept, in microseconds. */
    static long timeToLive(Response response) {
        return switch (response) {
            case YES -> 3_600_000_000L;
            case NO -> 600_000_000L;
            case UNKNOWN -> 10_000_000L;
        };
    }

    private void found(Claim claim, Response response, long now) {
        boolean good = response == Response.YES;
        known.put(claim, new Verdict(good, now + timeToLive(response)));
        if (known.size() > MAX) {
            known.remove(known.keySet().iterator().next());
        }
        List<Consumer<Boolean>> waiting = searches.remove(claim);
        if (waiting != null) {
            waiting.forEach(listener -> listener.accept(good));
        }
    }
}
