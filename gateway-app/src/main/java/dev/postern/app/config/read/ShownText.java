package dev.postern.app.config.read;

import dev.postern.app.config.type.Mask;
import tools.jackson.databind.JsonNode;

/** Shows a value of the operator in messages: on one line, cut at a maximum length. */
final class ShownText {

    /** Replacement of values that may be secret. */
    static final String HIDDEN = "(hidden)";

    private static final int LONGEST = 200;

    private ShownText() {}

    static String shown(JsonNode node) {
        if (node.isString()) {
            return node.asString();
        }
        return node.isNull() ? "nothing" : node.isArray() ? "a list" : "a mapping";
    }

    /** Returns a value in a form for messages: masked, cut, without control characters. */
    static String line(String text) {
        String masked = Mask.value(text);
        String cut = masked.length() <= LONGEST ? masked : masked.substring(0, LONGEST) + "...";
        return cut.isBlank() ? '"' + cut + '"' : cut.replaceAll("\\p{Cntrl}|\\p{Cs}", "?");
    }
}
