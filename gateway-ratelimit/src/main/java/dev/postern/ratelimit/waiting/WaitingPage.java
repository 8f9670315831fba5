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

/** Waiting page: one file without external assets, whose placeholders are filled in per response. Thread-safe. */
public final class WaitingPage {

    /** Maximum length of a template in characters: every waiting client loads the page. */
    static final int MAX = 128 * 1024;

    private static final Pattern HOLE = Pattern.compile("\\{\\{([a-z-]*)}}");

    /** Matches assets that the page would load. Links ({@code a}) are allowed. */
    private static final Pattern ASSET = Pattern.compile(
            "<(?!a[\\s>])[a-z][^>]*\\s(?:src|srcset|href|poster|data|background)\\s*=\\s*[\"']?\\s*(?!data:|#|[\"'>\\s])[^\"'>\\s]*"
                    + "|@import\\b|url\\(\\s*[\"']?\\s*(?!data:|#)[^)]*",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> OWN = Set.of(
            "lang", "dir", "address", "poll", "position", "time", "retry", "posted", "state", "shown", "request-id");

    /** Shown in every language instead of a position that is not known yet. */
    private static final String NO_POSITION = "\u2013";

    /** Placeholders with other texts before the opening. */
    private static final List<String> EARLY = List.of("heading", "intro", "estimate");

    private final String template;

    private WaitingPage(String template) {
        this.template = template;
    }

    /** Returns the built-in page. */
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
     * Returns a page with the given template.
     *
     * @param template HTML with placeholders such as {@code {{position}}}
     * @throws IllegalArgumentException for an invalid template, with the reason
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
     * Renders the page.
     *
     * @param requestId id of the exchange; may be empty
     * @param address of the requested page, relative to itself
     * @param poll path at which the page polls its position
     * @param posted whether the request has an unsafe method, so that the client must send it again after admission
     */
    String render(
            QueuePosition position, WaitingText text, String requestId, String address, String poll, boolean posted) {
        Map<String, String> values = new HashMap<>(text.words());
        values.put("lang", text.language());
        values.put("dir", text.direction());
        values.put("request-id", requestId);
        values.put("address", address);
        values.put("poll", poll);
        values.put("position", position.position() == 0 ? NO_POSITION : Long.toString(position.position()));
        if (position.early()) {
            for (String hole : EARLY) {
                values.put(hole, text.word("early-" + hole));
            }
            values.put("position", text.word("early-place"));
        }
        values.put("time", text.time(position.estimateSeconds()));
        values.put("state", position.unkept() ? "stopped" : "starting");
        values.put("shown", position.state());
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
