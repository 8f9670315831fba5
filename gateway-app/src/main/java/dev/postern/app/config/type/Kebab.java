package dev.postern.app.config.type;

import java.util.Locale;

/** How names of the code look in configuration and environment. */
public final class Kebab {

    private Kebab() {}

    /** {@code requestHead} becomes {@code request-head}. */
    public static String ofComponent(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                text.append('-').append(Character.toLowerCase(c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** {@code LEAST_OF_TWO} becomes {@code least-of-two}. */
    public static String ofConstant(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code request-head} becomes {@code REQUEST_HEAD}. */
    public static String environment(String key) {
        return key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
