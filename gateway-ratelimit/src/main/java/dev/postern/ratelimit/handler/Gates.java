package dev.postern.ratelimit.handler;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All configured limits by name. Immutable. */
public final class Gates {

    private final Map<String, Gate> byName;

    public Gates(List<Gate> gates) {
        byName = gates.stream()
                .collect(Collectors.toUnmodifiableMap(gate -> gate.limit().name(), Function.identity()));
    }

    @Nullable
    Gate find(String name) {
        return byName.get(name);
    }

    /** The limit whose room has that id, or null. */
    @Nullable
    Gate ofRoom(String id) {
        int tilde = id.indexOf('~');
        Gate gate = find(tilde < 0 ? id : id.substring(0, tilde));
        return gate != null && gate.hasRoom() ? gate : null;
    }
}
