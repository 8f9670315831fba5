package dev.postern.app.config.type;

import java.util.regex.Pattern;

/** Mask for user names and passwords of addresses in any printed text. */
public final class Mask {

    private static final Pattern AUTHORITY = Pattern.compile("(?s)://.*@");
    private static final Pattern CREDENTIALS = Pattern.compile("(?s)^[^@]*:.*@");

    private Mask() {}

    /** Masks a message, from the first scheme to the last @, since a password may contain any character. */
    public static String message(String text) {
        return AUTHORITY.matcher(text).replaceFirst("://***@");
    }

    /** Masks a single value, with or without a scheme. */
    public static String value(String text) {
        String masked = message(text);
        return masked.equals(text) ? CREDENTIALS.matcher(text).replaceFirst("***@") : masked;
    }
}
