package dev.postern.app.context;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Log of the drifts reported so far, so that each is reported once. Confined to the owner's thread. */
final class DriftLog {

    private final Map<String, String> received = new HashMap<>();

    /** Returns drifted items that were not reported yet, and records them as reported. */
    List<ContextItem> fresh(List<ContextItem> items) {
        return items.stream()
                .filter(ContextItem::drifted)
                .filter(item -> !what(item).equals(received.put(item.item(), what(item))))
                .toList();
    }

    /** Returns reported items that are as wanted again. */
    List<ContextItem> mended(List<ContextItem> items) {
        return items.stream()
                .filter(item -> !item.drifted())
                .filter(item -> received.remove(item.item()) != null)
                .toList();
    }

    /**
     * Returns the text that identifies a drift. Numbers of costs and states vary at each report, so only a change of their advice is a new
     * drift.
     */
    private static String what(ContextItem item) {
        return item.kind() == ContextItem.Kind.SETTING ? item.found() : item.advice();
    }
}
