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
        int first = Math.max(0, all.size() - ForwardedFields.MAX_HOPS);
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

    /** Returns {@code http} or {@code https}, as the client used to the outermost proxy; empty when that proxy does not report a scheme. */
    String scheme() {
        String scheme = elements.get(0).scheme();
        return scheme.equals("http") || scheme.equals("https") ? scheme : "";
    }

    /** Returns the host that the client requested; empty when the outermost proxy does not report a host. */
    String host() {
        return elements.get(0).host();
    }

    /** Returns whether the X-Forwarded fields of the request agree with this chain. */
    boolean agrees(RequestHead request, @Nullable InetAddress named) {
        @Nullable String scheme = request.joined(FieldName.X_FORWARDED_PROTO);
        @Nullable String host = request.joined(FieldName.X_FORWARDED_HOST);
        return (named == null || named.equals(client))
                && (scheme == null || scheme().isEmpty() || scheme.equalsIgnoreCase(scheme()))
                && (host == null || host().isEmpty() || host.equalsIgnoreCase(host()));
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
