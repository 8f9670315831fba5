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
 * What the trusted proxies between a client and the gateway say in Forwarded, the outermost of them first; what stands before is the
 * client's own word and left out. Immutable.
 *
 * @param client whom the outermost of them was asked by, as far as they say
 * @param elements one of each trusted proxy, one at least
 */
record ForwardedChain(InetAddress client, List<ForwardedElement> elements) {

    /** That of a request of a trusted peer, or null when it says nothing; throws {@link HttpParseException} when it is malformed. */
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

    /** {@code http} or {@code https} as the client asked the outermost proxy; empty when that does not say. */
    String scheme() {
        String said = elements.get(0).scheme();
        return said.equals("http") || said.equals("https") ? said : "";
    }

    /** The host that the client asked for; empty when the outermost proxy does not say. */
    String host() {
        return elements.get(0).host();
    }

    /** Whether an account of the same client by other fields agrees. */
    boolean agrees(RequestHead request, @Nullable InetAddress named) {
        @Nullable String scheme = request.joined(FieldName.X_FORWARDED_PROTO);
        @Nullable String host = request.joined(FieldName.X_FORWARDED_HOST);
        return (named == null || named.equals(client))
                && (scheme == null || scheme().isEmpty() || scheme.equalsIgnoreCase(scheme()))
                && (host == null || host().isEmpty() || host.equalsIgnoreCase(host()));
    }

    /** The addresses as X-Forwarded-For has them. */
    String addresses() {
        return elements.stream().map(ForwardedElement::text).collect(Collectors.joining(", "));
    }

    /** The value of Forwarded with one more element. */
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
