package dev.postern.load.origin;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which pages were served as a whole: the page itself and all that belongs to it. Thread-safe. */
final class Pages {
    private final int parts;
    private final Map<String, Set<String>> served = new HashMap<>();

    /** @param parts of a whole page, itself among them */
    Pages(int parts) {
        this.parts = parts;
    }

    synchronized void served(String page, String part) {
        served.computeIfAbsent(page, name -> new HashSet<>()).add(part);
    }

    synchronized int whole() {
        return Collections.frequency(served.values().stream().map(Set::size).toList(), parts);
    }

    /** Pages of which something is missing. */
    synchronized int half() {
        return served.size() - whole();
    }
}
