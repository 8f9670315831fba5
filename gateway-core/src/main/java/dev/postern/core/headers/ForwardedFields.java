package dev.postern.core.headers;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded fields: tells upstreams about the client (X-Forwarded-For, -Proto, -Host, -Port, Via), and believes only what trusted proxies
 * before the gateway sent. Forward proxies send nothing about their clients.
 */
public final class ForwardedFields {

    /** Limit for the trusted proxies in a chain. */
    static final int MAX_HOPS = 32;

    private static final Field PROTO_HTTP = Field.of(FieldName.X_FORWARDED_PROTO, "http");
    private static final Field PROTO_HTTPS = Field.of(FieldName.X_FORWARDED_PROTO, "https");
    private static final Field PORT_HTTP = Field.of(FieldName.X_FORWARDED_PORT, "80");
    private static final Field PORT_HTTPS = Field.of(FieldName.X_FORWARDED_PORT, "443");

    private ForwardedFields() {}

    /**
     * Returns the client as the trusted proxies before the gateway report it: the last address in X-Forwarded-For, or in Forwarded, that is
     * not a trusted proxy. Throws {@link HttpParseException} when the two disagree, or when Forwarded is malformed.
     */
    public static InetAddress client(ClientConnection client, RequestHead request) {
        if (!believed(client)) {
            return client.peer();
        }
        @Nullable String list = request.joined(FieldName.X_FORWARDED_FOR);
        @Nullable InetAddress named = list == null ? null : last(client, list);
        @Nullable ForwardedChain chain = ForwardedChain.of(client, request);
        if (chain == null) {
            return named == null ? client.peer() : named;
        }
        if (!chain.agrees(request, named)) {
            throw HttpParseException.malformed("Forwarded and X-Forwarded differ");
        }
        return chain.client();
    }

    private static InetAddress last(ClientConnection client, String list) {
        InetAddress last = client.peer();
        String[] hops = list.split(",", -1);
        for (int i = hops.length - 1; i >= Math.max(0, hops.length - MAX_HOPS); i--) {
            InetAddress hop = ForwardedElement.address(hops[i].trim());
            if (hop == null) {
                return last;
            }
            last = hop;
            if (!client.listener().trustedProxies().contains(hop)) {
                return hop;
            }
        }
        return last;
    }

    private static boolean believed(ClientConnection client) {
        return client.listener().trustedProxies().contains(client.peer());
    }

    /** Returns the scheme of the client's request to the first trusted proxy, or to the gateway. */
    public static String scheme(ClientConnection client, RequestHead request) {
        return believed(client) ? scheme(client, request, chain(client, request)) : own(client);
    }

    private static String scheme(ClientConnection client, RequestHead request, @Nullable ForwardedChain chain) {
        @Nullable String scheme = request.value(FieldName.X_FORWARDED_PROTO);
        if (scheme != null && (scheme.equals("http") || scheme.equals("https"))) {
            return scheme;
        }
        return chain == null || chain.scheme().isEmpty() ? own(client) : chain.scheme();
    }

    /** Returns the Forwarded chain of trusted proxies; null when the value is malformed, for which the request was refused already. */
    private static @Nullable ForwardedChain chain(ClientConnection client, RequestHead request) {
        try {
            return ForwardedChain.of(client, request);
        } catch (HttpParseException fault) {
            return null;
        }
    }

    /** Returns the scheme of the connection, independent of an absolute target. */
    private static String own(ClientConnection client) {
        return client.secure() ? "https" : "http";
    }

    /** Prepares a request of a reverse listener for its upstream. */
    public static void reverse(ClientConnection client, RequestHead request, Via via) {
        if (believed(client)) {
            behindProxies(client, request);
        } else {
            ClientClaims.strip(request);
            request.add(FieldName.X_FORWARDED_FOR, client.peerText());
            request.add(client.secure() ? PROTO_HTTPS : PROTO_HTTP);
            String authority = request.authority();
            if (!authority.isEmpty()) {
                request.add(FieldName.X_FORWARDED_HOST, authority);
            }
            port(request, authority, client.secure());
        }
        via.add(request);
    }

    private static void behindProxies(ClientConnection client, RequestHead request) {
        String peer = client.peerText();
        @Nullable ForwardedChain chain = chain(client, request);
        String scheme = scheme(client, request, chain);
        String clientHost = chain == null || chain.host().isEmpty() ? request.authority() : chain.host();
        ClientClaims.strip(request, client.listener().trustedFields());
        @Nullable String addresses = request.joined(FieldName.X_FORWARDED_FOR);
        if (addresses == null && chain != null) {
            addresses = chain.addresses();
        }
        request.set(FieldName.X_FORWARDED_FOR, addresses == null ? peer : addresses + ", " + peer);
        if (chain != null) {
            request.set(
                    FieldName.FORWARDED,
                    chain.with(new ForwardedElement(client.peer(), request.authority(), own(client))));
        }
        keep(request, FieldName.X_FORWARDED_PROTO, scheme);
        if (!clientHost.isEmpty()) {
            keep(request, FieldName.X_FORWARDED_HOST, clientHost);
        }
        if (!request.has(FieldName.X_FORWARDED_PORT)) {
            @Nullable String host = request.value(FieldName.X_FORWARDED_HOST);
            port(request, host == null ? "" : host, scheme.equals("https"));
        }
    }

    /** Adds the port that belongs to the reported host and scheme, so that all three form one address. */
    private static void port(RequestHead request, String host, boolean secure) {
        int colon = host.lastIndexOf(':');
        if (colon >= 0 && host.indexOf(']', colon) < 0) {
            request.add(FieldName.X_FORWARDED_PORT, host.substring(colon + 1));
        } else {
            request.add(secure ? PORT_HTTPS : PORT_HTTP);
        }
    }

    /** Prepares a request of a forward listener for its destination: removes the fields with client addresses. */
    public static void forward(RequestHead request, Via via) {
        ClientClaims.stripAddresses(request);
        via.add(request);
    }

    /** Removes client claims from trailers: only a head may contain claims, and only a head of a trusted proxy. */
    public static void behindBody(Head trailers) {
        ClientClaims.strip(trailers);
    }

    private static void keep(RequestHead request, FieldName name, String otherwise) {
        if (!request.has(name)) {
            request.add(name, otherwise);
        }
    }
}
