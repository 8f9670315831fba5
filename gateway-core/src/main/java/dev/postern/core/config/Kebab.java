package dev.postern.core.config;

import java.util.Locale;

/** Kebab case: names of the code in configuration and environment. */
public final class Kebab {

    private Kebab() {}

    /** Converts {@code requestHead} to {@code request-head}. */
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

    /** Converts {@code LEAST_OF_TWO} to {@code least-of-two}. */
    public static String ofConstant(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Converts {@code request-head} to {@code REQUEST_HEAD}. */
    public static String environment(String key) {
        return key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
