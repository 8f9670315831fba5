package dev.postern.app.page;

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

/** Page of the admin address for browsers: one file without data, which its script requests. Loads nothing else. */
public final class AdminPage implements AdminEndpoint {

    private final String html;
    private final String policy;

    private AdminPage(String html) {
        this.html = html;
        // Allows only the page's own script and style, by digest, and requests to the same address. The icon is inside
        // the page.
        this.policy = "default-src 'none'; script-src " + digest("script") + "; style-src " + digest("style")
                + "; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    }

    /** Returns the page of rooms, which changes them too. */
    public static AdminPage rooms() {
        return framed("Rooms", "rooms");
    }

    /** Returns the page of issuers and keys, which drops keys too. */
    public static AdminPage keys() {
        return framed("Keys", "keys");
    }

    /** Returns the page of the hidden context. */
    public static AdminPage context() {
        return framed("Hidden context", "context");
    }

    private static AdminPage framed(String title, String name) {
        return of(resource("frame.html")
                .replace("{{title}}", title)
                .replace("{{main}}", resource(name + ".html"))
                .replace("/* script */", resource(name + ".js")));
    }

    /** @param html of the page, with placeholders for the style, the script and the form that all pages share */
    public static AdminPage of(String html) {
        return new AdminPage(html.replace("/* page.css */", resource("page.css"))
                .replace("/* page.js */", resource("page.js"))
                .replace("{{token.html}}", resource("token.html")));
    }

    @Override
    public void show(AdminExchange exchange) throws IOException {
        exchange.set("Content-Security-Policy", policy);
        // With no-referrer, the Origin of a form would be null.
        exchange.set("Referrer-Policy", "same-origin");
        exchange.send(200, "text/html; charset=utf-8", html);
    }

    /** Returns the digest of the element's content as written in a policy. The page has one such element. */
    private String digest(String element) {
        String begin = "<" + element + ">";
        String content = html.substring(html.indexOf(begin) + begin.length(), html.indexOf("</" + element + ">"));
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(sum) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = AdminPage.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
