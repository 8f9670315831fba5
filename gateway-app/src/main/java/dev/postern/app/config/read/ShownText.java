package dev.postern.app.config.read;

import dev.postern.app.config.type.Mask;
import dev.postern.core.config.Kebab;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Shows a value of the operator in messages: on one line, cut at a maximum length. */
final class ShownText {

    /** Replacement of values that may be secret. */
    static final String HIDDEN = "(hidden)";

    private static final int LONGEST = 200;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{[^}]*}");

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

    /** Returns whether the text contains a shell variable. */
    static boolean namesVariable(String text) {
        return VARIABLE.matcher(text).find();
    }

    static String unexpanded(String text, String path) {
        return line(text) + ": used literally, because variables are not expanded; write the value, or set POSTERN_"
                + Kebab.environment(path.replace('/', '_'));
    }
}
