package dev.postern.load.origin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counters of an origin for one crowd.
 *
 * @param served requests, without those that don't count
 * @param wholePages pages of which all parts were served
 * @param halfPages pages of which at least one part was served and one was not
 */
public record Counters(long served, int wholePages, int halfPages) {
    String json() {
        String form = "{\"served\":%d,\"whole-pages\":%d,\"half-pages\":%d}\n";
        return form.formatted(served, wholePages, halfPages);
    }

    /** @param json as {@link #json} writes it */
    static Counters parse(String json) {
        return new Counters(
                number(json, "served"), (int) number(json, "whole-pages"), (int) number(json, "half-pages"));
    }

    private static long number(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        if (!matcher.find()) {
            throw new IllegalArgumentException("counters: " + json + " (expected: a number for " + name + ")");
        }
        return Long.parseLong(matcher.group(1));
    }
}
