package dev.postern.ratelimit.waiting;

import dev.postern.core.http.LanguageRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Languages of a waiting room. Immutable. */
public final class WaitingLanguages {

    /** Languages with built-in texts. */
    static final List<String> ALL = List.of("en", "ja", "zh", "de", "fr", "es", "ar");

    private static final String AUTO = "auto";

    private final List<WaitingText> texts;
    private final List<String> tags;

    private WaitingLanguages(List<String> tags) {
        this.tags = List.copyOf(tags);
        this.texts = tags.stream().map(WaitingText::in).toList();
    }

    /**
     * Returns the configured languages.
     *
     * @param setting {@code auto} for all languages, or some of them, the default language first
     * @throws IllegalArgumentException for an unknown language
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

    /** Returns the best text for the Accept-Language field (RFC 4647 section 3.4, lookup), otherwise the first. */
    WaitingText text(String acceptLanguage) {
        String best = LanguageRanges.best(acceptLanguage, tags);
        return texts.get(best == null ? 0 : tags.indexOf(best));
    }
}
