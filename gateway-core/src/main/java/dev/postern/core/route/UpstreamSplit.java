package dev.postern.core.route;

import dev.postern.core.net.AddressPrefix;
import java.util.List;

/**
 * Split of a route's exchanges between upstreams, by weight and client: all exchanges of one client go to one upstream. Clients keep theirs on
 * all routes with equal weights; where weights change, only clients on the side of the smaller share change.
 *
 * @param parts at least one with a weight
 */
public record UpstreamSplit(List<Part> parts) {

    /** Part of the exchanges. */
    public record Part(String upstream, int weight) {}

    public UpstreamSplit {
        parts = parts.stream().filter(part -> part.weight() > 0).toList();
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("weights: none (expected: at least one above 0)");
        }
    }

    /** Returns the name of the client's upstream. */
    String upstream(AddressPrefix client) {
        long total = 0;
        for (int i = 0; i < parts.size(); i++) {
            total += parts.get(i).weight();
        }
        double point = fraction(client) * total;
        long end = 0;
        for (int i = 0; i < parts.size() - 1; i++) {
            end += parts.get(i).weight();
            if (point < end) {
                return parts.get(i).upstream();
            }
        }
        return parts.get(parts.size() - 1).upstream();
    }

    /** Returns a number of [0, 1) that is the same for all gateways: the finalizer of SplitMix64 over the bits of the prefix. */
    private static double fraction(AddressPrefix client) {
        long z = client.bits() + (client.ipv6() ? 1 : 0);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1p-53;
    }
}
