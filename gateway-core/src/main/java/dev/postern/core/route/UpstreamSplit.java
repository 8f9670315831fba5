package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.upstream.Upstream;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Split of a route's exchanges between upstreams, by weight and client: all exchanges of one client go to one upstream. Each client has a
 * point between 0 and 1, by its address or its cookie, and each upstream a range of points. Clients keep their upstream on all routes with equal
 * weights; where weights change, only clients on the side of the smaller share change. A client whose upstream is down has another one, until
 * its own is back (docs/adr/0058).
 *
 * @param parts at least one with a weight
 * @param cookie keeps the points of clients whose address changes; null: the address alone decides
 */
public record UpstreamSplit(List<Part> parts, @Nullable SplitCookie cookie) {

    private static final ExchangeKey<String> CHOSEN = ExchangeKey.of("upstream of a split");

    /** Part of the exchanges. */
    public record Part(String upstream, int weight) {}

    public UpstreamSplit {
        parts = withWeight(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("weights: none (expected: at least one above 0)");
        }
    }

    private static List<Part> withWeight(List<Part> parts) {
        return parts.stream().filter(part -> part.weight() > 0).toList();
    }

    /** Returns the name of the upstream of an exchange, the same until its end. */
    String upstream(Exchange exchange) {
        String chosen = exchange.get(CHOSEN);
        if (chosen == null) {
            chosen = upstream(point(exchange), name -> {
                Upstream upstream = RoutingSnapshot.of(exchange).upstreams().named(name);
                return upstream != null && upstream.down(exchange.now());
            });
            exchange.put(CHOSEN, chosen);
        }
        return chosen;
    }

    /** Lets the client keep its point, if it has none. */
    void keep(Exchange exchange) {
        if (cookie != null) {
            cookie.keep(exchange, fraction(exchange.clientPrefix()));
        }
    }

    private double point(Exchange exchange) {
        double byAddress = fraction(exchange.clientPrefix());
        return cookie == null ? byAddress : cookie.point(exchange, byAddress);
    }

    /** Returns the name of the upstream at a point; if it is down, that of another one that is not, if there is one. */
    String upstream(double point, Predicate<String> down) {
        return choose(parts, point, down);
    }

    private static String choose(List<Part> parts, double point, Predicate<String> down) {
        double left = point * total(parts);
        int index = 0;
        while (index < parts.size() - 1 && left >= parts.get(index).weight()) {
            left -= parts.get(index).weight();
            index++;
        }
        Part chosen = parts.get(index);
        if (parts.size() == 1 || !down.test(chosen.upstream())) {
            return chosen.upstream();
        }
        List<Part> others = parts.stream().filter(part -> !part.equals(chosen)).toList();
        // The place inside the range of the upstream that is down spreads its clients over all others.
        String other = choose(others, left / chosen.weight(), down);
        return down.test(other) ? chosen.upstream() : other;
    }

    private static long total(List<Part> parts) {
        long total = 0;
        for (int i = 0; i < parts.size(); i++) {
            total += parts.get(i).weight();
        }
        return total;
    }

    /** Returns a number of [0, 1) that is the same for all gateways: the finalizer of SplitMix64 over the bits of the prefix. */
    static double fraction(AddressPrefix client) {
        long z = client.bits() + (client.ipv6() ? 1 : 0);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1p-53;
    }
}
