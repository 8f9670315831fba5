package dev.postern.app.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.admin.AdminExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Page {@code /}: the live page for browsers, updated by {@link LiveFeed}; for other clients an index of the admin address. */
public final class LivePage implements AdminEndpoint {

    private final String page =
            resource("live.html").replace("<!-- codes -->", RefusalCodes.html(resource("refusals.md")));
    private final String index = resource("index.txt");
    private final String policy;

    public LivePage() {
        // Allows only the page's own script and style, by digest, and events of the same address. The icon is inside
        // the page.
        policy = "default-src 'none'; script-src " + digest("script") + "; style-src " + digest("style")
                + "; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    }

    @Override
    public void show(AdminExchange exchange) throws IOException {
        exchange.set("Vary", "Accept");
        if (exchange.field("Accept").contains("text/html")) {
            exchange.set("Content-Security-Policy", policy);
            exchange.set("Referrer-Policy", "no-referrer");
            exchange.send(200, "text/html; charset=utf-8", page);
        } else {
            exchange.send(200, "text/plain; charset=utf-8", index);
        }
    }

    /** Returns the digest of the element's content as written in a policy. The page has one such element. */
    private String digest(String element) {
        String begin = "<" + element + ">";
        String content = page.substring(page.indexOf(begin) + begin.length(), page.indexOf("</" + element + ">"));
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(sum) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
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
