package dev.postern.app.config.type;

import java.util.regex.Pattern;

/** Masks users and passwords of URLs in output, in any value and message. */
public final class Mask {

    private static final Pattern AUTHORITY = Pattern.compile("(?s)://.*@");
    private static final Pattern CREDENTIALS = Pattern.compile("(?s)^[^@]*:.*@");

    private Mask() {}

    /** Masks a message from its first scheme to its last @, because a password may contain any character. */
    public static String message(String text) {
        return AUTHORITY.matcher(text).replaceFirst("://***@");
    }

    /** Masks a single value, which may have no scheme. */
    public static String value(String text) {
        String masked = message(text);
        return masked.equals(text) ? CREDENTIALS.matcher(text).replaceFirst("***@") : masked;
    }
}
