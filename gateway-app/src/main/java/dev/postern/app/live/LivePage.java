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
}
