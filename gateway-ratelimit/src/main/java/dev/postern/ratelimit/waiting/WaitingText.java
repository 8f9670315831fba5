package dev.postern.ratelimit.waiting;

import java.util.List;
import java.util.Locale;

/**
 * The words of the waiting room in one language.
 *
 * @param language as in {@code lang}
 * @param title of the page
 * @param heading what is the matter
 * @param intro what happens next
 * @param place above the position
 * @param estimate above the estimate
 * @param unknown in place of an estimate
 * @param minutes after a number of minutes
 * @param soon for less than a minute
 * @param admitted what is said when the turn has come
 * @param again the link for those without scripts
 * @param keep what not to do
 */
record WaitingText(
        String language,
        String title,
        String heading,
        String intro,
        String place,
        String estimate,
        String unknown,
        String minutes,
        String soon,
        String admitted,
        String again,
        String keep) {

    static final WaitingText ENGLISH = new WaitingText(
            "en",
            "You are in line",
            "You are in line",
            "More people are here than the site can serve well at once. You have a place, and nobody is let in before you.",
            "Your place",
            "Estimated wait",
            "a while",
            "min",
            "less than a minute",
            "It is your turn. One moment.",
            "Check again",
            "This page moves on by itself. Keep it open: if it is closed for long, your place goes to the next one.");

    private static final List<WaitingText> ALL = List.of(ENGLISH);

    /** The first language of that Accept-Language list that we speak, else English. */
    static WaitingText of(String acceptLanguage) {
        for (String range : acceptLanguage.split(",", 20)) {
            String tag = range.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
            for (WaitingText text : ALL) {
                if (tag.equals(text.language) || tag.startsWith(text.language + "-")) {
                    return text;
                }
            }
        }
        return ENGLISH;
    }
}
