package dev.postern.ratelimit.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of those who wait: one file without foreign assets, its holes filled in per visit. Thread-safe. */
public final class WaitingPage {

    /** Characters of a template at most: everybody who waits loads it, on a site that is full. */
    static final int MAX = 128 * 1024;

    private static final Pattern HOLE = Pattern.compile("\\{\\{([a-z-]*)}}");

    /** What a page would load from somewhere: links for people are none. */
    private static final Pattern ASSET = Pattern.compile(
            "<(?!a[\\s>])[a-z][^>]*\\s(?:src|srcset|href|poster|data|background)\\s*=\\s*[\"']?\\s*(?!data:|#|[\"'>\\s])[^\"'>\\s]*"
                    + "|@import\\b|url\\(\\s*[\"']?\\s*(?!data:|#)[^)]*",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> OWN = Set.of("lang", "dir", "poll", "position", "time", "retry", "posted");

    /** What is said in other words before the opening. */
    private static final List<String> EARLY = List.of("heading", "intro", "estimate");

    private final String template;

    private WaitingPage(String template) {
        this.template = template;
    }

    /** The page that comes with us. */
    public static WaitingPage builtIn() {
        try (InputStream in = WaitingPage.class.getResourceAsStream("room.html")) {
            if (in == null) {
                throw new IllegalStateException("room.html: not on the class path");
            }
            return of(new String(in.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @param template HTML with holes such as {@code {{position}}}
     * @throws IllegalArgumentException saying what in it is not as it should be
     */
    public static WaitingPage of(String template) {
        if (template.length() > MAX) {
            throw new IllegalArgumentException(
                    "page.template: " + template.length() + " characters (expected: " + MAX + " at most)");
        }
        Matcher asset = ASSET.matcher(template);
        if (asset.find()) {
            throw new IllegalArgumentException(
                    "page.template: " + asset.group()
                            + " (expected: nothing that has to be loaded; styles, scripts and pictures inside the page, as data:)");
        }
        Set<String> known = new TreeSet<>(WaitingText.in("en").words().keySet());
        known.addAll(OWN);
        HOLE.matcher(template).results().map(hole -> hole.group(1)).forEach(hole -> {
            if (!known.contains(hole)) {
                throw new IllegalArgumentException(
                        "page.template: {{" + hole + "}} (expected: one of " + String.join(", ", known) + ")");
            }
        });
        return new WaitingPage(template);
    }

    /**
     * @param poll where the page asks for its place
     * @param posted whether what was asked for can't be kept until the turn comes
     */
    String render(QueuePosition position, WaitingText text, String poll, boolean posted) {
        Map<String, String> values = new HashMap<>(text.words());
        values.put("lang", text.language());
        values.put("dir", text.direction());
        values.put("poll", poll);
        values.put("position", Long.toString(position.position()));
        if (position.early()) {
            for (String hole : EARLY) {
                values.put(hole, text.word("early-" + hole));
            }
            values.put("position", text.word("early-place"));
        }
        values.put("time", text.time(position.estimateSeconds()));
        values.put("retry", Long.toString(position.retrySeconds()));
        values.put("posted", posted ? text.word("posted") : "");
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
}
