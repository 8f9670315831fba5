package dev.postern.app.admin;

import dev.postern.core.http.RequestHead;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Request to the admin address with its complete body, independent of its connection.
 *
 * @param host as sent by the client, with or without a port
 * @param path with its percent-encoding decoded; empty for CONNECT
 * @param parameters of the query, decoded
 * @param fields the first field of each name; names are case-insensitive
 * @param body as text; empty for none
 */
record AdminRequest(
        String method,
        String host,
        String path,
        Map<String, List<String>> parameters,
        Map<String, String> fields,
        String body) {

    static AdminRequest of(RequestHead head, String body) {
        QueryStringDecoder target = new QueryStringDecoder(head.path() + head.query());
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < head.fields(); i++) {
            if (head.present(i)) {
                fields.putIfAbsent(head.nameAt(i), head.valueAt(i));
            }
        }
        return new AdminRequest(
                head.method().name(), head.authority(), target.path(), target.parameters(), fields, body);
    }

    /** Returns the words behind the slashes of the path; none for {@code /}, for {@code *} and for CONNECT, which has no path. */
    List<String> words() {
        return Arrays.stream(path.split("/")).skip(1).toList();
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
