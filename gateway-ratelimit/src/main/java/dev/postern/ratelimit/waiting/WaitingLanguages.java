package dev.postern.ratelimit.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import org.jspecify.annotations.Nullable;

/** The languages that a waiting room speaks. Immutable. */
public final class WaitingLanguages {

    /** What there are texts in. */
    static final List<String> ALL = List.of("en", "ja", "zh", "de", "fr", "es", "ar");

    private static final String AUTO = "auto";

    /** A list that is longer is no person's. */
    private static final int LONGEST_LIST = 256;

    private final List<WaitingText> texts;
    private final List<String> tags;

    private WaitingLanguages(List<String> tags) {
        this.tags = List.copyOf(tags);
        this.texts = tags.stream().map(WaitingText::in).toList();
    }

    /**
     * @param setting {@code auto} for all of them, or some, the one for everybody else first
     * @throws IllegalArgumentException naming the one that we don't speak
     */
    public static WaitingLanguages of(String setting) {
        if (setting.trim().equals(AUTO)) {
            return new WaitingLanguages(ALL);
        }
        List<String> tags = new ArrayList<>();
        for (String tag : setting.trim().split("[\\s,]+", -1)) {
            String lower = tag.toLowerCase(Locale.ROOT);
            if (!ALL.contains(lower)) {
                throw new IllegalArgumentException(
                        "page.languages: " + setting + " (expected: auto, or some of " + String.join(", ", ALL) + ")");
            }
            tags.add(lower);
        }
        return new WaitingLanguages(tags);
    }

    /** The best for that Accept-Language field (RFC 4647 section 3.4, lookup), else the first. */
    WaitingText text(String acceptLanguage) {
        String best = best(acceptLanguage);
        return texts.get(best == null ? 0 : tags.indexOf(best));
    }

    private @Nullable String best(String acceptLanguage) {
        if (acceptLanguage.isBlank() || acceptLanguage.length() > LONGEST_LIST) {
            return null;
        }
        try {
            return Locale.lookupTag(LanguageRange.parse(acceptLanguage), tags);
        } catch (IllegalArgumentException e) {
            return null; // not a list of languages
        }
    }
}
