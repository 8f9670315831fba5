package dev.postern.core.extension;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.spi.Request;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** View of an exchange for extensions. On the loop of the exchange. */
final class RequestView implements Request {

    private static final ExchangeKey<Map<String, Object>> KEPT = ExchangeKey.of("extensions");

    private final Exchange exchange;
    private final RequestHead head;

    public RequestView(Exchange exchange) {
        this.exchange = exchange;
        this.head = exchange.request();
    }

    @Override
    public String method() {
        return head.method().name();
    }

    @Override
    public String id() {
        return exchange.requestIdText();
    }

    @Override
    public String scheme() {
        return exchange.client().listener().reverse() ? exchange.clientScheme() : head.scheme();
    }

    @Override
    public String authority() {
        return head.authority();
    }

    @Override
    public String path() {
        return head.path();
    }

    @Override
    public Set<String> otherPaths() {
        return head.otherReadings();
    }

    @Override
    public String query() {
        return head.query();
    }

    @Override
    public InetAddress clientAddress() {
        return exchange.clientAddress();
    }

    @Override
    public String listener() {
        return exchange.client().listener().name();
    }

    @Override
    public String route() {
        @Nullable Route route = Route.orNull(exchange);
        return route == null ? "" : route.name();
    }

    @Override
    public @Nullable String value(String name) {
        return head.value(FieldName.of(name));
    }

    @Override
    public List<String> values(String name) {
        FieldName field = FieldName.of(name);
        List<String> values = new ArrayList<>();
        for (int i = head.next(field, 0); i >= 0; i = head.next(field, i + 1)) {
            values.add(head.valueAt(i));
        }
        return values;
    }

    @Override
    public void set(String name, String value) {
        Field field = field(name, value);
        head.remove(field.name());
        head.add(field);
    }

    @Override
    public void remove(String name) {
        head.remove(touchable(name));
    }

    @Override
    public void response(String name, String value) {
        exchange.addResponseField(field(name, value));
    }

    @Override
    public void put(String key, Object value) {
        Map<String, Object> attributes = exchange.get(KEPT);
        if (attributes == null) {
            attributes = new HashMap<>();
            exchange.put(KEPT, attributes);
        }
        attributes.put(key, value);
    }

    @Override
    public @Nullable Object get(String key) {
        Map<String, Object> attributes = exchange.get(KEPT);
        return attributes == null ? null : attributes.get(key);
    }

    private static Field field(String name, String value) {
        return Field.of(touchable(name), value);
    }

    private static FieldName touchable(String name) {
        if (!HeaderModifications.touchable(name)) {
            throw new IllegalArgumentException(name + " (expected: the name of a field that does not frame or route)");
        }
        return FieldName.of(name);
    }
}
