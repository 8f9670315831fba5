package dev.postern.core.upstream;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Upstreams by name. Thread-safe. */
public final class Upstreams {

    public static final Upstreams NONE = new Upstreams(Map.of());

    private final Map<String, Upstream> byName;

    public Upstreams(Map<String, Upstream> byName) {
        this.byName = Map.copyOf(byName);
    }

    public @Nullable Upstream named(String name) {
        return byName.get(name);
    }

    public Collection<Upstream> all() {
        return byName.values();
    }
}
