package dev.postern.core.overload;

import java.util.Locale;

/** What a process can run out of. */
public enum OverloadResource {
    /** Share of the Java heap that outlives collections. */
    HEAP(1),
    /** Share of the direct memory that buffers hold. */
    DIRECT_MEMORY(1),
    /** Seconds that a task waits until its event loop runs it; one late response may be a collection, several in a row are too much work. */
    LOOP_LAG(4);

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final int proof;

    OverloadResource(int proof) {
        this.proof = proof;
    }

    /** As keys, meters and log call it. */
    public String label() {
        return label;
    }

    /** So many samples in a row make an overload. */
    int proof() {
        return proof;
    }
}
