package dev.postern.core.headers;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.LookAlikeNames;
import java.util.List;
import java.util.stream.Stream;

/**
 * Client claims: fields in which a message states the address of its client or the original request. Upstreams trust these fields by
 * default, so only trusted proxies may send them; names are compared by letters and digits only. Stateless.
 */
public final class ClientClaims {

    /** Fields with the address of a client, or a chain of addresses. */
    private static final List<String> OF_ADDRESSES = List.of(
            "Forwarded",
            "X-Forwarded*",
            "X-Original-Forwarded-For",
            "X-Original-For",
            "X-Real-IP",
            "X-Client-IP",
            "X-Cluster-Client-IP",
            "X-Originating-IP",
            "X-Remote-IP",
            "X-Remote-Addr",
            "X-ProxyUser-IP",
            "X-Envoy-External-Address",
            "X-Azure-ClientIP",
            "X-Azure-SocketIP",
            "X-Appengine-User-IP",
            "X-Appengine-Remote-Addr",
            "True-Client-IP",
            "CF-Connecting-IP",
            "CF-Connecting-IPv6",
            "CF-Pseudo-IPv4",
            "Fastly-Client-IP",
            "Fly-Client-IP",
            "Ali-CDN-Real-IP",
            "CDN-Src-IP",
            "Client-IP",
            "Remote-Addr",
            "Proxy-Client-IP",
            "WL-Proxy-Client-IP");

    /** Fields with another path, host, scheme or certificate than those of the received request. */
    private static final List<String> OF_REQUESTS = List.of(
            "X-Original-URL",
            "X-Original-URI",
            "X-Original-Host",
            "X-Original-Method",
            "X-Original-Proto",
            "X-Rewrite-URL",
            "X-Proxied-Https",
            "X-Url-Scheme",
            "X-ARR-SSL",
            "X-ARR-ClientCert",
            "X-Client-Cert",
            "X-SSL-Client*",
            "SSL-Client*",
            "Front-End-Https",
            "Client-Cert",
            "Client-Cert-Chain",
            "Proxy",
            "Proxy-Auth-Cert",
            "Proxy-Ssl-Id",
            "WL-Proxy-SSL",
            "WL-Proxy-Client-Cert");

    private static final LookAlikeNames ADDRESSES = LookAlikeNames.of(OF_ADDRESSES);
    private static final LookAlikeNames ALL = LookAlikeNames.of(all());

    /** Fields that trusted proxies may send, in exactly this spelling. */
    private static final List<FieldName> TRUSTED = List.of(
            FieldName.FORWARDED,
            FieldName.X_FORWARDED_FOR,
            FieldName.X_FORWARDED_PROTO,
            FieldName.X_FORWARDED_HOST,
            FieldName.X_FORWARDED_PORT);

    private ClientClaims() {}

    /** Returns all names; a name that ends with a star matches all names with that prefix. */
    public static List<String> all() {
        return Stream.concat(OF_ADDRESSES.stream(), OF_REQUESTS.stream()).toList();
    }

    /** Returns whether a field of that name is removed before the upstream unless a trusted proxy sent it. */
    public static boolean contains(String name) {
        return ALL.contains(name);
    }

    /** Removes all claims. */
    static void strip(Head head) {
        for (int i = head.next(ALL, 0); i >= 0; i = head.next(ALL, i + 1)) {
            head.removeAt(i);
        }
    }

    /** Removes the claims that are not accepted from a trusted proxy. */
    static void strip(Head head, List<FieldName> further) {
        for (int i = head.next(ALL, 0); i >= 0; i = head.next(ALL, i + 1)) {
            if (!named(head, i, TRUSTED) && !named(head, i, further)) {
                head.removeAt(i);
            }
        }
    }

    /** Removes the claims about the client's address. */
    static void stripAddresses(Head head) {
        for (int i = head.next(ADDRESSES, 0); i >= 0; i = head.next(ADDRESSES, i + 1)) {
            head.removeAt(i);
        }
    }

    /** Returns whether the field at that index is a claim. */
    static boolean contains(Head head, int index) {
        return ALL.contains(head.nameAt(index));
    }

    private static boolean named(Head head, int index, List<FieldName> names) {
        for (int i = 0; i < names.size(); i++) {
            if (head.named(index, names.get(i))) {
                return true;
            }
        }
        return false;
    }
}
