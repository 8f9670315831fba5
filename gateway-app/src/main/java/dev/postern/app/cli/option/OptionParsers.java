package dev.postern.app.cli.option;

import java.net.URI;
import java.util.function.Function;

/** Parsers of option values. Their errors name the option. */
public final class OptionParsers {

    private OptionParsers() {}

    /** Throws {@link WrongArgument} unless the URI is an http or https URI with a host. */
    public static void http(URI uri) {
        boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!known || uri.getHost() == null) {
            throw new WrongArgument("URL: " + uri + " (expected: http://host/ or https://host/)");
        }
    }

    /** @param parser throws {@link IllegalArgumentException} with the expected value as its message */
    public static <T> T read(String option, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new WrongArgument(option + ": " + text + " (expected: " + e.getMessage() + ")");
        }
    }
}
