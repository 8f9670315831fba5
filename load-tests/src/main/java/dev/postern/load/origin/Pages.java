package dev.postern.load.origin;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Pages that were served, whole or in part: a page is whole when its document and all its assets were served.
 * Thread-safe.
 */
final class Pages {
    private final int parts;
    private final Map<String, Set<String>> served = new HashMap<>();

    /** @param parts of a whole page, including its document */
    Pages(int parts) {
        this.parts = parts;
    }

    synchronized void served(String page, String part) {
        served.computeIfAbsent(page, name -> new HashSet<>()).add(part);
    }

    synchronized int whole() {
        return Collections.frequency(served.values().stream().map(Set::size).toList(), parts);
    }

    /** Returns the number of pages of which a part is missing. */
    synchronized int half() {
        return served.size() - whole();
    }
}
