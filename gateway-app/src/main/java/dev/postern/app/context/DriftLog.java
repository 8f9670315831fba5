package dev.postern.app.context;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is other than wanted and has been told already, so that it is told once. Confined to who holds it. */
final class DriftLog {

    private final Map<String, String> received = new HashMap<>();

    /** Those that nobody was told of yet; they are told now. */
    List<ContextItem> fresh(List<ContextItem> items) {
        return items.stream()
                .filter(ContextItem::drifted)
                .filter(item -> !what(item).equals(received.put(item.item(), what(item))))
                .toList();
    }

    /** Those that were told of and are as wanted again. */
    List<ContextItem> mended(List<ContextItem> items) {
        return items.stream()
                .filter(item -> !item.drifted())
                .filter(item -> received.remove(item.item()) != null)
                .toList();
    }

    /** What is no setting is another number each time, and as bad; another advice is news. */
    private static String what(ContextItem item) {
        return item.kind() == ContextItem.Kind.SETTING ? item.found() : item.advice();
    }
}
