package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Cross-origin fields ({@code Access-Control-*}, WHATWG Fetch section 3.3.3) for the status of a room: the constant ones that a route of the
 * room sets in its responses ({@code headers.response}), if they permit the origin of the request. So a script that may read the route's
 * response may read its place too, and no other script. Nothing is reflected.
 */
final class CrossOriginFields {

    private static final FieldName ORIGIN = FieldName.of("origin");
    private static final FieldName ALLOWED = FieldName.of("access-control-allow-origin");
    private static final String PREFIX = "access-control-";
    private static final String ANY = "*";

    private CrossOriginFields() {}

    /**
     * Returns the fields of the first route that permits the origin by name, else of the first that permits any.
     *
     * @param ofRoom whether a route belongs to the room
     */
    static List<Field> of(Exchange exchange, Predicate<Route> ofRoom) {
        RequestHead request = exchange.request();
        if (request.occurrences(ORIGIN) != 1) {
            return List.of();
        }
        String origin = String.valueOf(request.value(ORIGIN));
        List<Field> open = List.of();
        for (Route route : RoutingSnapshot.of(exchange).routes().all()) {
            if (serves(route.host(), request.host()) && ofRoom.test(route)) {
                ResponseHead head = new ResponseHead();
                route.transform().response().complete(head, exchange);
                String allowed = head.occurrences(ALLOWED) == 1 ? String.valueOf(head.value(ALLOWED)) : "";
                if (allowed.equals(origin)) {
                    return fields(head);
                }
                open = open.isEmpty() && allowed.equals(ANY) ? fields(head) : open;
            }
        }
        return open;
    }

    private static boolean serves(String pattern, String host) {
        boolean suffix = pattern.startsWith("*.");
        return pattern.equals(ANY)
                || (suffix
                        ? host.endsWith(pattern.substring(1)) && host.length() >= pattern.length()
                        : pattern.equals(host));
    }

    private static List<Field> fields(ResponseHead head) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < head.fields(); i++) {
            if (head.nameAt(i).startsWith(PREFIX)) {
                fields.add(Field.of(FieldName.of(head.nameAt(i)), head.valueAt(i)));
            }
        }
        return fields;
    }
}
