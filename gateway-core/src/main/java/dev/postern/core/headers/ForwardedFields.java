package dev.postern.core.headers;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.RequestHead;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forwarded fields: tells upstreams about the client (X-Forwarded-For, -Proto, -Host, -Port, Via), and believes only what trusted proxies
 * before the gateway sent. Forward proxies send nothing about their clients.
 */
public final class ForwardedFields {

    private static final Field PROTO_HTTP = Field.of(FieldName.X_FORWARDED_PROTO, "http");
    private static final Field PROTO_HTTPS = Field.of(FieldName.X_FORWARDED_PROTO, "https");
    private static final Field PORT_HTTP = Field.of(FieldName.X_FORWARDED_PORT, "80");
    private static final Field PORT_HTTPS = Field.of(FieldName.X_FORWARDED_PORT, "443");

    private static final List<FieldName> X_FORWARDED = List.of(
            FieldName.X_FORWARDED_FOR,
            FieldName.X_FORWARDED_PROTO,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PORT);

    private ForwardedFields() {}

    /**
     * Client of an exchange, as far as the connection and the trusted proxies before the gateway tell.
     *
     * @param address the last address in X-Forwarded-For, or in Forwarded, that is not a trusted proxy; otherwise the peer
     * @param scheme {@code http} or {@code https}: of the client's request to the first trusted proxy, or to the gateway
     */
    public record Client(InetAddress address, String scheme) {}

    /**
     * Returns the client of a request; throws {@link dev.postern.core.http.HttpParseException} when the fields of a trusted proxy contradict
     * each other, or when Forwarded is malformed.
     */
    public static Client client(ClientConnection client, RequestHead request) {
        if (!client.trusted()) {
            return new Client(client.peer(), own(client));
        }
        ClientReport report = ClientReport.of(client, request);
        return new Client(report.client(), scheme(client, request, report));
    }

    /**
     * Removes from a request the fields about its client that are not those of the listener: another hop wrote them, or the client itself.
     * Call this before {@link #client}.
     */
    public static void select(ClientConnection client, RequestHead request) {
        switch (client.listener().forwarded()) {
            case AUTO -> {}
            case FORWARDED -> X_FORWARDED.forEach(request::remove);
            case X_FORWARDED -> request.remove(FieldName.FORWARDED);
        }
    }

    private static String scheme(ClientConnection client, RequestHead request, ClientReport report) {
        String scheme = report.scheme(request);
        return scheme.isEmpty() ? own(client) : scheme;
    }

    /** Returns the scheme of the connection, independent of an absolute target. */
    private static String own(ClientConnection client) {
        return client.secure() ? "https" : "http";
    }

    /** Prepares a request of a reverse listener for its upstream. */
    public static void reverse(ClientConnection client, RequestHead request, Via via) {
        if (client.trusted()) {
            behindProxies(client, request);
        } else {
            ClientClaims.strip(request);
            request.add(FieldName.X_FORWARDED_FOR, client.peerText());
            request.add(client.secure() ? PROTO_HTTPS : PROTO_HTTP);
            String authority = request.authority();
            if (!authority.isEmpty()) {
                request.add(FieldName.X_FORWARDED_HOST, authority);
            }
            port(client, request, authority, client.secure());
        }
        via.add(request);
    }

    private static void behindProxies(ClientConnection client, RequestHead request) {
        String peer = client.peerText();
        ClientReport report = ClientReport.lenient(client, request);
        @Nullable ForwardedChain chain = report.chain();
        String scheme = scheme(client, request, report);
        String reported = report.host(request);
        String host = reported.isEmpty() ? request.authority() : reported;
        String port = report.element(request, FieldName.X_FORWARDED_PORT);
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
        // One value each, the one that the gateway uses itself: of a list, upstreams could use an element that the
        // client forged.
        replace(request, FieldName.X_FORWARDED_PROTO, scheme);
        replace(request, FieldName.X_FORWARDED_HOST, host);
        replace(request, FieldName.X_FORWARDED_PORT, port);
        if (port.isEmpty()) {
            port(client, request, host, scheme.equals("https"));
        }
    }

    /** Adds the port that belongs to the reported host and scheme, so that all three form one address. */
    private static void port(ClientConnection client, RequestHead request, String host, boolean secure) {
        int colon = host.lastIndexOf(':');
        if (colon >= 0 && host.indexOf(']', colon) < 0) {
            String own = client.portText(); // mostly the same, and then no copy is made
            boolean same = own.length() == host.length() - colon - 1 && host.endsWith(own);
            request.add(FieldName.X_FORWARDED_PORT, same ? own : host.substring(colon + 1));
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

    /** Sets the field, or removes it for an empty value; a field that is so already stays as it is. */
    private static void replace(RequestHead request, FieldName name, String value) {
        if (value.isEmpty()) {
            request.remove(name);
        } else if (!value.equals(request.joined(name))) {
            request.set(name, value);
        }
    }
}
