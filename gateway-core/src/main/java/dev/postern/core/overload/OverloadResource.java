package dev.postern.core.overload;

import java.util.Locale;

/** Resource that can cause an overload. */
enum OverloadResource {
    /** Share of the Java heap that survives collections. */
    HEAP(1),
    /** Share of the direct memory that buffers hold. */
    DIRECT_MEMORY(1),
    /** Seconds that a task waits for its event loop; a single late sample may be a garbage collection, several in a row are an overload. */
    LOOP_LAG(4);

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final int proof;

    OverloadResource(int proof) {
        this.proof = proof;
    }

    /** Returns the name in configuration keys, meters and log. */
    public String label() {
        return label;
    }

    /** Returns the number of consecutive samples until an overload begins. */
    int proof() {
        return proof;
    }
}
