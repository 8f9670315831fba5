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
 * Says upstream who asked (X-Forwarded-For, -Proto, -Host, -Port, Via), believing only what trusted proxies said before us; forward proxies
 * say nothing of their clients at all.
 */
public final class ForwardedFields {

    /** Proxies in a row whose word counts. */
    static final int MAX_HOPS = 32;

    private static final Field PROTO_HTTP = Field.of(FieldName.X_FORWARDED_PROTO, "http");
    private static final Field PROTO_HTTPS = Field.of(FieldName.X_FORWARDED_PROTO, "https");
    private static final Field PORT_HTTP = Field.of(FieldName.X_FORWARDED_PORT, "80");
    private static final Field PORT_HTTPS = Field.of(FieldName.X_FORWARDED_PORT, "443");

    private ForwardedFields() {}

    /**
     * The client as the trusted proxies between it and us name it: the last address in X-Forwarded-For, or in Forwarded, that is not one of
     * theirs. Throws {@link HttpParseException} when the two disagree, or when Forwarded is malformed.
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

    /** The scheme by which the client came to the first trusted proxy, or to us. */
    public static String scheme(ClientConnection client, RequestHead request) {
        return believed(client) ? scheme(client, request, chain(client, request)) : own(client);
    }

    private static String scheme(ClientConnection client, RequestHead request, @Nullable ForwardedChain chain) {
        @Nullable String said = request.value(FieldName.X_FORWARDED_PROTO);
        if (said != null && (said.equals("http") || said.equals("https"))) {
            return said;
        }
        return chain == null || chain.scheme().isEmpty() ? own(client) : chain.scheme();
    }

    /** What trusted proxies say in Forwarded; nothing when it is malformed, for which the request was refused already. */
    private static @Nullable ForwardedChain chain(ClientConnection client, RequestHead request) {
        try {
            return ForwardedChain.of(client, request);
        } catch (HttpParseException fault) {
            return null;
        }
    }

    /** That of the connection, whatever an absolute target claims. */
    private static String own(ClientConnection client) {
        return client.secure() ? "https" : "http";
    }

    /** Makes a request of a reverse listener ready for its upstream. */
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
        String asked = chain == null || chain.host().isEmpty() ? request.authority() : chain.host();
        ClientClaims.strip(request, client.listener().trustedFields());
        @Nullable String before = request.joined(FieldName.X_FORWARDED_FOR);
        if (before == null && chain != null) {
            before = chain.addresses();
        }
        request.set(FieldName.X_FORWARDED_FOR, before == null ? peer : before + ", " + peer);
        if (chain != null) {
            request.set(
                    FieldName.FORWARDED,
                    chain.with(new ForwardedElement(client.peer(), request.authority(), own(client))));
        }
        keep(request, FieldName.X_FORWARDED_PROTO, scheme);
        if (!asked.isEmpty()) {
            keep(request, FieldName.X_FORWARDED_HOST, asked);
        }
        if (!request.has(FieldName.X_FORWARDED_PORT)) {
            @Nullable String host = request.value(FieldName.X_FORWARDED_HOST);
            port(request, host == null ? "" : host, scheme.equals("https"));
        }
    }

    /** The port that belongs to host and scheme as they are told, so that all three make one address. */
    private static void port(RequestHead request, String host, boolean secure) {
        int colon = host.lastIndexOf(':');
        if (colon >= 0 && host.indexOf(']', colon) < 0) {
            request.add(FieldName.X_FORWARDED_PORT, host.substring(colon + 1));
        } else {
            request.add(secure ? PORT_HTTPS : PORT_HTTP);
        }
    }

    /** Makes a request of a forward listener ready for its destination: nothing in it speaks of the client. */
    public static void forward(RequestHead request, Via via) {
        ClientClaims.stripAddresses(request);
        via.add(request);
    }

    /** Takes out of what stands behind a body what only a head may say, and only for some. */
    public static void behindBody(Head trailers) {
        ClientClaims.strip(trailers);
    }

    private static void keep(RequestHead request, FieldName name, String otherwise) {
        if (!request.has(name)) {
            request.add(name, otherwise);
        }
    }
}
