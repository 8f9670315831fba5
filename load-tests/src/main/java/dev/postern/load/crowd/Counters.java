package dev.postern.load.crowd;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an origin counted of one crowd.
 *
 * @param served requests, without those that don't count
 * @param peak the most sessions active at once
 * @param laterPeak the same, without the first {@link Register#SETTLING}
 * @param wholePages pages of which everything was served
 * @param halfPages pages of which something was served
 * @param starts when sessions became active, in microseconds since 1970, in order
 */
public record Counters(long served, int peak, int laterPeak, int wholePages, int halfPages, List<Long> starts) {
    /** How many sessions became active in that time, in microseconds since 1970. */
    public long started(long from, long to) {
        return starts.stream().filter(start -> start >= from && start < to).count();
    }

    String json() {
        return "{\"served\":%d,\"peak\":%d,\"later-peak\":%d,\"whole-pages\":%d,\"half-pages\":%d,\"starts\":%s}\n"
                .formatted(served, peak, laterPeak, wholePages, halfPages, starts);
    }

    /** @param json as {@link #json} writes it */
    static Counters parse(String json) {
        return new Counters(
                number(json, "served"),
                (int) number(json, "peak"),
                (int) number(json, "later-peak"),
                (int) number(json, "whole-pages"),
                (int) number(json, "half-pages"),
                numbers(json));
    }

    private static long number(String json, String name) {
        return Long.parseLong(find(json, "\"" + name + "\":(\\d+)"));
    }

    private static List<Long> numbers(String json) {
        String[] texts = find(json, "\"starts\":\\[([0-9, ]*)]").split(", ");
        return Arrays.stream(texts)
                .filter(text -> !text.isEmpty())
                .map(Long::valueOf)
                .toList();
    }

    private static String find(String json, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(json);
        if (!matcher.find()) {
            throw new IllegalArgumentException("counters: " + json + " (expected: " + pattern + ")");
        }
        return matcher.group(1);
    }
}
