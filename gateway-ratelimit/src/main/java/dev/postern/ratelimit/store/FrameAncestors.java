package dev.postern.ratelimit.store;

import java.util.Locale;
import java.util.regex.Pattern;

/** Frame ancestors of the waiting page: sites that may show the page in a frame (Content Security Policy Level 3, section 6.4.2). */
public final class FrameAncestors {

    private static final String NONE = "none";
    private static final Pattern SOURCE =
            Pattern.compile("https?://(\\*\\.)?[a-z0-9_-]+(\\.[a-z0-9_-]+)*(:([0-9]{1,5}|\\*))?");

    private FrameAncestors() {}

    /**
     * Returns the value of the directive {@code frame-ancestors}.
     *
     * @param setting {@code none}, or some of {@code self}, {@code *} and origins, separated by blanks or commas
     * @throws IllegalArgumentException for another value, with the reason
     */
    public static String directive(String setting) {
        String wanted = setting.trim().toLowerCase(Locale.ROOT);
        if (wanted.equals(NONE)) {
            return "'none'";
        }
        StringBuilder directive = new StringBuilder();
        for (String source : wanted.split("[\\s,]+", -1)) {
            boolean self = source.equals("self");
            if (!self && !source.equals("*") && !SOURCE.matcher(source).matches()) {
                throw new IllegalArgumentException("page.frame-ancestors: " + setting
                        + " (expected: none, or some of self, *, https://partner.example, https://*.partner.example)");
            }
            directive.append(directive.isEmpty() ? "" : " ").append(self ? "'self'" : source);
        }
        return directive.toString();
    }
}
