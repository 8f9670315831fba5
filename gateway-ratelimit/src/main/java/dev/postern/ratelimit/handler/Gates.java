package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.route.Admission;
import dev.postern.core.route.Policy;
import dev.postern.ratelimit.store.RoomKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All configured limits by name. Immutable. */
public final class Gates implements Admission {

    private final Map<String, Gate> byName;

    public Gates(List<Gate> gates) {
        byName = gates.stream()
                .collect(Collectors.toUnmodifiableMap(gate -> gate.limit().name(), Function.identity()));
    }

    /** Those that rule the exchange from beginning to end. */
    static Gates of(Exchange exchange) {
        return (Gates) Policy.of(exchange).admission();
    }

    public Collection<Gate> all() {
        return byName.values();
    }

    public @Nullable Gate find(String name) {
        return byName.get(name);
    }

    /** Those that have rooms. */
    public List<Gate> withRooms() {
        return byName.values().stream().filter(Gate::hasRoom).toList();
    }

    /** The limit whose room has that id, or null. */
    public @Nullable Gate ofRoom(String id) {
        Gate gate = find(RoomKey.limitOf(id));
        return gate != null && gate.hasRoom() && Naming.names(gate.limit(), gate.queue(), id) ? gate : null;
    }
}
