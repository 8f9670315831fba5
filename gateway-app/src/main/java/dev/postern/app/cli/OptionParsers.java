package dev.postern.app.cli;

import java.net.URI;
import java.util.function.Function;

/** Reads option values, and says which option was wrong. */
final class OptionParsers {

    private OptionParsers() {}

    /** Throws unless that is an address to ask over HTTP. */
    static void http(URI uri) {
        boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!known || uri.getHost() == null) {
            throw new WrongArgument("URL: " + uri + " (expected: http://host/ or https://host/)");
        }
    }

    /** @param parser whose exception says what it expected */
    static <T> T read(String option, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new WrongArgument(option + ": " + text + " (expected: " + e.getMessage() + ")");
        }
    }
}
