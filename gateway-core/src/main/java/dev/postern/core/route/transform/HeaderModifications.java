package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.LookAlikeNames;
import dev.postern.core.http.ResponseHead;
import java.util.List;

/**
 * Modifications of a head by a route: fields to remove, set and add, in this order. Fields that control framing, routing or a single
 * connection are excluded: {@link #touchable}.
 *
 * @param remove every field of these names
 * @param set one field each, replacing all of the same name
 * @param add one field each, in addition to others of the same name
 */
public record HeaderModifications(List<FieldName> remove, List<HeaderModification> set, List<HeaderModification> add)
        implements LocalReply.Filter {

    public static final HeaderModifications NONE = new HeaderModifications(List.of(), List.of(), List.of());

    private static final LookAlikeNames UNTOUCHABLE = LookAlikeNames.of(List.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade"));

    public HeaderModifications {
        remove = List.copyOf(remove);
        set = List.copyOf(set);
        add = List.copyOf(add);
    }

    /** Returns whether a route may set, add or remove fields of the name; false also for an invalid name (RFC 9110 section 5.6.2). */
    public static boolean touchable(String name) {
        return name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}") && !UNTOUCHABLE.contains(name);
    }

    /** Modifies a head that the gateway forwards. */
    public void apply(Head head, Exchange exchange) {
        for (int i = 0; i < remove.size(); i++) {
            head.remove(remove.get(i));
        }
        for (int i = 0; i < set.size(); i++) {
            head.remove(set.get(i).name());
            set.get(i).addTo(head, exchange);
        }
        for (int i = 0; i < add.size(); i++) {
            add.get(i).addTo(head, exchange);
        }
    }

    /**
     * Adds missing fields to the head of a local reply. Fields of the reply are never removed or replaced: a site that sets
     * {@code Cache-Control} must not make challenges cacheable.
     */
    @Override
    public void complete(ResponseHead own, Exchange exchange) {
        missing(set, own, exchange);
        missing(add, own, exchange);
    }

    private static void missing(List<HeaderModification> rules, Head own, Exchange exchange) {
        for (int i = 0; i < rules.size(); i++) {
            if (!own.has(rules.get(i).name())) {
                rules.get(i).addTo(own, exchange);
            }
        }
    }
}
