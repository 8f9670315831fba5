package dev.postern.app.config.read;

import dev.postern.app.config.type.Kebab;
import dev.postern.app.config.type.Mask;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Shows what users wrote: on one line, not too long of it, and nothing where there is nothing. */
final class ShownText {

    /** Instead of what may be secret. */
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

    /** A value, fit for a message. */
    static String line(String text) {
        String masked = Mask.value(text);
        String cut = masked.length() <= LONGEST ? masked : masked.substring(0, LONGEST) + "...";
        return cut.isBlank() ? '"' + cut + '"' : cut.replaceAll("\\p{Cntrl}|\\p{Cs}", "?");
    }

    /** Whether a shell would put something in. */
    static boolean namesVariable(String text) {
        return VARIABLE.matcher(text).find();
    }

    static String unexpanded(String text, String path) {
        return line(text) + ": stays as it is, since variables are not put in; write the value, or set POSTERN_"
                + Kebab.environment(path.replace('/', '_'));
    }
}
