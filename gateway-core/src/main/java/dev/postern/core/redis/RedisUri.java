package dev.postern.core.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * URI of Redis, with user and password apart. Each of them is decoded by itself: a client that decodes both and then splits them at the
 * first colon reads the user {@code a:b}, written {@code a%3Ab}, as {@code a}.
 *
 * @param address URI without user and password
 * @param user null for the default user
 * @param password null for none
 */
public record RedisUri(
        String address, @Nullable String user, @Nullable String password) {

    private static final Pattern FORM = Pattern.compile("([a-z]+://)(?:([^/?#]*)@)?(.*)");
    private static final int HEX = 16;

    /** @throws IllegalArgumentException without the URI in its message */
    public static RedisUri of(String uri) {
        Matcher parts = FORM.matcher(uri);
        if (!parts.matches()) {
            throw new IllegalArgumentException("redis://host:port");
        }
        String address = parts.group(1) + parts.group(3);
        String login = parts.group(2) == null ? "" : parts.group(2);
        int colon = login.indexOf(':');
        String user = colon < 0 ? "" : decoded(login.substring(0, colon));
        String password = decoded(login.substring(colon + 1));
        return new RedisUri(address, user.isEmpty() ? null : user, password.isEmpty() ? null : password);
    }

    private static String decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%') {
                bytes.write(octet(text, i + 1));
                i += 2;
            } else {
                bytes.writeBytes(
                        text.substring(i, text.offsetByCodePoints(i, 1)).getBytes(UTF_8));
                i = text.offsetByCodePoints(i, 1) - 1;
            }
        }
        return bytes.toString(UTF_8);
    }

    private static int octet(String text, int from) {
        int high = from + 1 < text.length() ? Character.digit(text.charAt(from), HEX) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(from + 1), HEX);
        if (low < 0) {
            throw new IllegalArgumentException("two hexadecimal digits after a percent sign");
        }
        return high * HEX + low;
    }

    @Override
    public String toString() {
        return "redis"; // user and password are secret
    }
}
