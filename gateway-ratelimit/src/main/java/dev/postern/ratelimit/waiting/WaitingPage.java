package dev.postern.ratelimit.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of those who wait: one file without foreign assets, filled in per visit. Thread-safe. */
final class WaitingPage {

    private static final Pattern HOLE = Pattern.compile("\\{\\{([a-z-]+)}}");

    private final String template;

    WaitingPage() {
        try (InputStream in = WaitingPage.class.getResourceAsStream("room.html")) {
            if (in == null) {
                throw new IllegalStateException("room.html: not on the class path");
            }
            template = new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param poll where the page asks for its place */
    String render(Place place, WaitingText text, String poll) {
        Map<String, String> values = Map.ofEntries(
                Map.entry("lang", text.language()),
                Map.entry("title", text.title()),
                Map.entry("heading", text.heading()),
                Map.entry("intro", text.intro()),
                Map.entry("place", text.place()),
                Map.entry("estimate", text.estimate()),
                Map.entry("unknown", text.unknown()),
                Map.entry("minutes", text.minutes()),
                Map.entry("soon", text.soon()),
                Map.entry("admitted", text.admitted()),
                Map.entry("again", text.again()),
                Map.entry("keep", text.keep()),
                Map.entry("poll", poll),
                Map.entry("position", Long.toString(place.position())),
                Map.entry("time", time(place, text)),
                Map.entry("retry", Long.toString(place.retrySeconds())));
        Matcher holes = HOLE.matcher(template);
        StringBuilder page = new StringBuilder(template.length() + 512);
        while (holes.find()) {
            holes.appendReplacement(page, Matcher.quoteReplacement(escaped(values.getOrDefault(holes.group(1), ""))));
        }
        return holes.appendTail(page).toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private static String time(Place place, WaitingText text) {
        if (place.estimateSeconds() == 0) {
            return text.unknown();
        }
        return place.estimateSeconds() < 60 ? text.soon() : (place.estimateSeconds() + 30) / 60 + " " + text.minutes();
    }
}
