package dev.postern.core.headers;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Report of the trusted proxies before the gateway about their client and its request, from X-Forwarded-For, -Proto, -Host and -Port, and
 * from Forwarded. Immutable.
 *
 * <p>Each proxy of a chain adds an element at the right end of X-Forwarded-For, so the client is the last address that is not a trusted
 * proxy; what stands left of it comes from the client itself. The other fields are one value or a list. Of a list the element at the same
 * distance from the right end counts, since the same proxy wrote it: elements further left can be forged. A list that is shorter, or a single
 * value, was not extended by every proxy: its first element counts, which the outermost of the proxies that write the field has written. An
 * empty element is an element that says nothing.
 *
 * @param client the address that the outermost trusted proxy reports, as far as known
 * @param distance of the element of that proxy from the right end of the lists: 0 for the peer's
 * @param chain what Forwarded says; null without
 */
record ClientReport(
        InetAddress client, int distance, @Nullable ForwardedChain chain) {

    /** Limit for the trusted proxies in a chain. */
    static final int MAX_HOPS = 32;

    /**
     * Returns the report of a trusted peer; throws {@link HttpParseException} when Forwarded is malformed or contradicts the X-Forwarded
     * fields.
     */
    static ClientReport of(ClientConnection from, RequestHead request) {
        @Nullable ForwardedChain chain = ForwardedChain.of(from, request);
        ClientReport report = with(from, request, chain);
        if (chain != null && !report.agrees(request, chain)) {
            throw HttpParseException.malformed("Forwarded and X-Forwarded differ");
        }
        return report;
    }

    /** Returns the report as above, but of the X-Forwarded fields alone when Forwarded is of no use: then the request was refused already. */
    static ClientReport lenient(ClientConnection from, RequestHead request) {
        try {
            return with(from, request, ForwardedChain.of(from, request));
        } catch (HttpParseException fault) {
            return with(from, request, null);
        }
    }

    private static ClientReport with(ClientConnection from, RequestHead request, @Nullable ForwardedChain chain) {
        @Nullable String list = request.joined(FieldName.X_FORWARDED_FOR);
        if (list != null) {
            return of(from, list, chain);
        }
        return chain == null
                ? new ClientReport(from.peer(), 0, null)
                : new ClientReport(chain.client(), chain.elements().size() - 1, chain);
    }

    private static ClientReport of(ClientConnection from, String list, @Nullable ForwardedChain chain) {
        InetAddress last = from.peer();
        int distance = 0;
        int end = list.length();
        for (int i = 0; i < MAX_HOPS && end >= 0; i++) {
            distance = i;
            int comma = list.lastIndexOf(',', end - 1);
            InetAddress hop = NodeIdentifier.address(
                    unquoted(list.substring(comma + 1, end).trim()));
            last = hop == null ? last : hop;
            if (hop == null || !from.listener().trustedProxies().contains(hop)) {
                break;
            }
            end = comma;
        }
        return new ClientReport(last, distance, chain);
    }

    private static String unquoted(String text) {
        boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    private boolean agrees(RequestHead request, ForwardedChain forwarded) {
        ForwardedElement outermost = forwarded.outermost();
        return client.equals(forwarded.client())
                && same(named(request), outermost.httpScheme())
                && same(element(request, FieldName.X_FORWARDED_HOST), outermost.host());
    }

    private static boolean same(String one, String other) {
        return one.isEmpty() || other.isEmpty() || one.equalsIgnoreCase(other);
    }

    /** Returns the scheme of the client's request, {@code http} or {@code https}; empty when none is reported. */
    String scheme(RequestHead request) {
        String named = named(request);
        return named.isEmpty() && chain != null ? chain.scheme() : named;
    }

    private String named(RequestHead request) {
        return ForwardedElement.httpScheme(element(request, FieldName.X_FORWARDED_PROTO));
    }

    /** Returns the host that the client requested, as reported; empty when none is. */
    String host(RequestHead request) {
        String named = element(request, FieldName.X_FORWARDED_HOST);
        return named.isEmpty() && chain != null ? chain.host() : named;
    }

    /** Returns the element of the list that counts; empty without the field. */
    String element(RequestHead request, FieldName name) {
        @Nullable String list = request.joined(name);
        if (list == null) {
            return "";
        }
        int end = list.length();
        int comma = list.lastIndexOf(',');
        for (int i = 0; i < distance && comma >= 0; i++) {
            end = comma;
            comma = list.lastIndexOf(',', end - 1);
        }
        return list.substring(comma + 1, end).trim();
    }
}
