package dev.postern.load.experiment.queue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Variant of the site: what reacts to the requests over the rate, and where it keeps its state. */
enum Variant {
    NGINX("nginx", null, false),
    LIMIT_MEMORY("limit, memory", Store.MEMORY, false),
    LIMIT_REDIS("limit, Redis", Store.REDIS, false),
    QUEUE_MEMORY("queue, memory", Store.MEMORY, true),
    QUEUE_REDIS("queue, Redis", Store.REDIS, true);

    private final String title;
    private final @Nullable Store store;
    private final boolean queue;

    Variant(String title, @Nullable Store store, boolean queue) {
        this.title = title;
        this.store = store;
        this.queue = queue;
    }

    String title() {
        return title;
    }

    /** Returns the name in paths and files. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the store of the gateway, or null for nginx. */
    @Nullable
    Store store() {
        return store;
    }

    /** Returns whether requests over the rate get a place in a fair queue. */
    boolean queue() {
        return queue;
    }

    static List<Variant> queues() {
        return Arrays.stream(values()).filter(Variant::queue).toList();
    }

    static List<Variant> limits() {
        return Arrays.stream(values()).filter(variant -> !variant.queue).toList();
    }
}
