package dev.postern.app.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.page.AdminPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Page {@code /}: the live page for browsers, updated by {@link LiveFeed}; for other clients an index of the admin address. */
public final class LivePage {

    private LivePage() {}

    /** Returns the page for browsers. */
    public static AdminPage page() {
        return AdminPage.of(
                resource("live.html").replace("<!-- codes -->", RefusalCodes.html(resource("refusals.md"))));
    }

    /** Returns the index for other clients. */
    public static AdminEndpoint index() {
        String index = resource("index.txt");
        return exchange -> exchange.send(200, "text/plain; charset=utf-8", index);
    }

    private static String resource(String name) {
        try (InputStream in = LivePage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refusal codes as HTML, generated from the tables of docs/refusals.md, which the jar contains: each code with its cause and remedy. */
    static final class RefusalCodes {

        private static final Pattern ROW =
                Pattern.compile("^\\| `([a-z0-9-]+)` \\| \\d+ \\| [a-z]+ \\| (.*) \\| (.*) \\|$", Pattern.MULTILINE);
        private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
        private static final Pattern CODE = Pattern.compile("`([^`]*)`");

        private RefusalCodes() {}

        /** @param markdown with rows of code, status, blame, cause and remedy */
        static String html(String markdown) {
            StringBuilder out = new StringBuilder();
            Matcher row = ROW.matcher(markdown);
            while (row.find()) {
                out.append("<dt id=\"code-")
                        .append(row.group(1))
                        .append("\"><code>")
                        .append(row.group(1))
                        .append("</code></dt><dd>")
                        .append(inline(row.group(2)))
                        .append(" <em>")
                        .append(inline(row.group(3)))
                        .append("</em></dd>\n");
            }
            return out.toString();
        }

        /** Converts inline Markdown. Links are replaced by their text, since their targets are not in the jar. */
        private static String inline(String text) {
            String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            return CODE.matcher(LINK.matcher(escaped).replaceAll("$1")).replaceAll("<code>$1</code>");
        }
    }
}
