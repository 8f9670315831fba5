package dev.postern.ratelimit.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Waiting room text in one language, from {@code text/LANGUAGE.properties}.
 *
 * @param language value of the attribute {@code lang}
 * @param words texts by the name of their placeholder
 */
record WaitingText(String language, Map<String, String> words) {

    private static final Set<String> RIGHT_TO_LEFT = Set.of("ar");
    private static final long MINUTE = 60;
    private static final long HOUR = 3600;

    WaitingText {
        words = Map.copyOf(words);
    }

    static WaitingText in(String language) {
        String file = "text/" + language + ".properties";
        try (InputStream in = WaitingText.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + ": not on the class path");
            }
            Properties words = new Properties();
            words.load(new InputStreamReader(in, UTF_8));
            return new WaitingText(
                    language,
                    words.stringPropertyNames().stream().collect(Collectors.toMap(name -> name, words::getProperty)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the value of the attribute {@code dir}. */
    String direction() {
        return RIGHT_TO_LEFT.contains(language) ? "rtl" : "ltr";
    }

    /** @param seconds 0 if unknown */
    String time(long seconds) {
        if (seconds == 0) {
            return word("unknown");
        }
        if (seconds < MINUTE) {
            return word("soon");
        }
        return seconds < 2 * HOUR ? about("minutes", seconds, MINUTE) : about("hours", seconds, HOUR);
    }

    private String about(String unit, long seconds, long of) {
        return word(unit).replace("{0}", Long.toString((seconds + of / 2) / of));
    }

    String word(String name) {
        String word = words.get(name);
        if (word == null) {
            throw new IllegalArgumentException(language + ": " + name + " (expected: one of " + words.keySet() + ")");
        }
        return word;
    }
}
