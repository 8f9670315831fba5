package dev.postern.app.config.type;

import java.util.regex.Pattern;

/** Hides users and passwords of addresses in what is printed, wherever an address stands, meant to be there or not. */
public final class Mask {

    private static final Pattern AUTHORITY = Pattern.compile("(?s)://.*@");
    private static final Pattern CREDENTIALS = Pattern.compile("(?s)^[^@]*:.*@");

    private Mask() {}

    /** A whole message: from the first scheme to the last @, since a password may hold whatever it likes. */
    public static String message(String text) {
        return AUTHORITY.matcher(text).replaceFirst("://***@");
    }

    /** A single value, which may also lack its scheme. */
    public static String value(String text) {
        String masked = message(text);
        return masked.equals(text) ? CREDENTIALS.matcher(text).replaceFirst("***@") : masked;
    }
}
