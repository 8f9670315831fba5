package dev.postern.ratelimit.handler;

import dev.postern.core.dns.AddressOwnerLookup;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.transport.loop.EventLoopLocal;
import dev.postern.ratelimit.handler.Bypass.Crawler;
import dev.postern.ratelimit.store.Micros;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Crawler verification, with one cache per event loop. Thread-safe. */
public final class Crawlers {

    private final EventLoopLocal<CrawlerCache> cache = new EventLoopLocal<>(loop -> new CrawlerCache());
    private final AddressOwnerLookup lookup;
    private final InstantSource clock;

    public Crawlers(AddressOwnerLookup lookup, InstantSource clock) {
        this.lookup = lookup;
        this.clock = clock;
    }

    /** Verifies that the exchange comes from the crawler that it names; calls the listener on the exchange's loop, at once or later. */
    void ask(Exchange exchange, Crawler crawler, Consumer<Boolean> listener) {
        CrawlerCache.Claim claim = new CrawlerCache.Claim(exchange.clientAddress(), crawler);
        CrawlerCache.Search search =
                found -> lookup.ask(exchange.loop(), exchange.clientAddress(), crawler.domains(), found);
        cache.get(exchange.loop()).ask(claim, Micros.of(clock), search, listener);
    }
}
