package dev.postern.app.config.read;

import dev.postern.app.config.type.Kebab;
import dev.postern.app.config.type.Mask;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Formats text of the configuration for messages: on one line, of limited length; {@code nothing} for an absent value. */
final class ShownText {

    /** Text shown in place of a value that may be secret. */
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

    /** Shortens a value to one line for a message. */
    static String line(String text) {
        String masked = Mask.value(text);
        String cut = masked.length() <= LONGEST ? masked : masked.substring(0, LONGEST) + "...";
        return cut.isBlank() ? '"' + cut + '"' : cut.replaceAll("\\p{Cntrl}|\\p{Cs}", "?");
    }

    /** Returns whether the text contains a variable reference that a shell would expand. */
    static boolean namesVariable(String text) {
        return VARIABLE.matcher(text).find();
    }

    static String unexpanded(String text, String path) {
        return line(text) + ": stays as it is, since variables are not put in; write the value, or set POSTERN_"
                + Kebab.environment(path.replace('/', '_'));
    }
}
