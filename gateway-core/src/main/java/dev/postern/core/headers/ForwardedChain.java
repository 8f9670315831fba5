package dev.postern.core.headers;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestHead;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded chain: the Forwarded elements of the trusted proxies between a client and the gateway, outermost proxy first. Earlier elements
 * come from the client itself and are left out. Immutable.
 *
 * @param client the address that the outermost of these proxies reports, as far as known
 * @param elements one element for each trusted proxy, at least one
 */
record ForwardedChain(InetAddress client, List<ForwardedElement> elements) {

    /**
     * Returns the chain of a request of a trusted peer, or null without elements; throws {@link HttpParseException} for a malformed value.
     */
    static @Nullable ForwardedChain of(ClientConnection from, RequestHead request) {
        @Nullable String value = request.joined(FieldName.FORWARDED);
        if (value == null) {
            return null;
        }
        List<ForwardedElement> all = ForwardedReader.read(value);
        if (all.isEmpty()) {
            return null;
        }
        int first = Math.max(0, all.size() - ClientReport.MAX_HOPS);
        InetAddress client = from.peer();
        for (int i = all.size() - 1; i >= first; i--) {
            @Nullable InetAddress hop = all.get(i).address();
            client = hop == null ? client : hop;
            if (hop == null || !from.listener().trustedProxies().contains(hop)) {
                first = i;
            }
        }
        return new ForwardedChain(client, List.copyOf(all.subList(first, all.size())));
    }

    /** Returns the element of the outermost proxy. */
    ForwardedElement outermost() {
        return elements.get(0);
    }

    /** Returns {@code http} or {@code https}, as the outermost proxy that reports a scheme received it; empty when none does. */
    String scheme() {
        return elements.stream()
                .map(ForwardedElement::httpScheme)
                .filter(scheme -> !scheme.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns the host that the client requested, as the outermost proxy that reports a host received it; empty when none does. */
    String host() {
        return elements.stream()
                .map(ForwardedElement::host)
                .filter(host -> !host.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns the addresses in the format of X-Forwarded-For. */
    String addresses() {
        return elements.stream().map(ForwardedElement::text).collect(Collectors.joining(", "));
    }

    /** Returns the value of Forwarded with one more element. */
    String with(ForwardedElement ours) {
        StringBuilder out = new StringBuilder();
        for (ForwardedElement element : elements) {
            element.writeTo(out);
            out.append(", ");
        }
        ours.writeTo(out);
        return out.toString();
    }
}
