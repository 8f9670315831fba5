package dev.postern.core.http;

import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import org.jspecify.annotations.Nullable;

/** Language ranges of an Accept-Language field (RFC 9110 section 12.5.4). */
public final class LanguageRanges {

    /** Maximum length of an Accept-Language field; browsers send shorter ones. */
    private static final int LONGEST_LIST = 256;

    private LanguageRanges() {}

    /**
     * Returns the tag that suits the field best (RFC 4647 section 3.4, lookup); null if none does.
     *
     * @param acceptLanguage null for no field
     * @param tags in lower case
     */
    public static @Nullable String best(@Nullable String acceptLanguage, List<String> tags) {
        if (acceptLanguage == null || acceptLanguage.isBlank() || acceptLanguage.length() > LONGEST_LIST) {
            return null;
        }
        try {
            return Locale.lookupTag(LanguageRange.parse(acceptLanguage), tags);
        } catch (IllegalArgumentException e) {
            return null; // not a list of languages
        }
    }
}
