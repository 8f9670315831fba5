package dev.postern.app.admin;

import dev.postern.core.http.RequestHead;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Request to the admin address with its complete body, independent of its connection.
 *
 * @param host as sent by the client, with or without a port
 * @param path with its percent-encoding decoded; empty for CONNECT
 * @param sent the path as sent
 * @param parameters of the query, decoded
 * @param form fields of a form in the body, decoded
 * @param fields the first field of each name; names are case-insensitive
 * @param body as text; empty for none
 */
record AdminRequest(
        String method,
        String host,
        String path,
        String sent,
        Map<String, List<String>> parameters,
        Map<String, List<String>> form,
        Map<String, String> fields,
        String body) {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String BEARER = "Bearer ";

    static AdminRequest of(RequestHead head, String body) {
        QueryStringDecoder target = new QueryStringDecoder(head.path() + head.query());
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i)) {
                fields.putIfAbsent(head.nameAt(i), head.valueAt(i));
            }
        }
        return new AdminRequest(
                head.method().name(),
                head.authority(),
                target.path(),
                head.path(),
                target.parameters(),
                fields.getOrDefault("Content-Type", "").startsWith(FORM)
                        ? new QueryStringDecoder(body, false).parameters()
                        : Map.of(),
                fields,
                body);
    }

    /** Returns the first value of the parameter of the query, else of the form; null if there is none. */
    @Nullable
    String parameter(String name) {
        List<String> values = parameters.getOrDefault(name, form.getOrDefault(name, List.of()));
        return values.isEmpty() ? null : values.get(0);
    }

    /** Returns the words behind the slashes of the path; none for {@code /}, for {@code *} and for CONNECT, which has no path. */
    List<String> words() {
        return Arrays.stream(path.split("/")).skip(1).toList();
    }

    /** Returns the value of an Authorization field, or as such a value the token of a form (RFC 6750 section 2.2); empty for none. */
    String credentials() {
        List<String> token = form.getOrDefault("access_token", List.of());
        return fields.getOrDefault("Authorization", token.isEmpty() ? "" : BEARER + token.get(0));
    }

    /** Returns whether the client is a browser that shows a page. */
    boolean wantsPage() {
        return fields.getOrDefault("Accept", "").contains("text/html");
    }

    /**
     * Returns whether the page of another origin sent the request through an operator's browser, by Origin. Browsers send the field with
     * each POST.
     */
    boolean otherOrigin() {
        String origin = fields.getOrDefault("Origin", "");
        return !origin.isEmpty() && !origin.substring(origin.indexOf("//") + 2).equalsIgnoreCase(host);
    }

    /** Returns whether the page of another site sent the request, by Fetch Metadata, which browsers send over TLS and to loopback only. */
    boolean otherSite() {
        String site = fields.getOrDefault("Sec-Fetch-Site", "");
        return site.equals("cross-site") || site.equals("same-site");
    }

    /** Returns whether the client takes this address for a proxy. */
    boolean connects() {
        return method.equals("CONNECT");
    }

    /** Returns whether the method only reads (GET or HEAD). */
    boolean reads() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
