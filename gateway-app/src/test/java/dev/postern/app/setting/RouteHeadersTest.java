package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Tests changes of header fields by routes, and their placeholders. */
class RouteHeadersTest {

    private static String route(String keys) {
        return "routes=[{upstream: app, token: off, " + keys + "}]";
    }

    private static TestOrigin.Received last(MemorySite site) {
        return site.origin.received().get(site.origin.received().size() - 1);
    }

    @Test
    void requestsGetAndLoseFields() {
        String headers =
                "headers: {set: {X-Who: \"{client-address} {scheme}://{host}{path}{query} {{}\", User-Agent: none},"
                        + " add: {Cookie: c=d}, remove: [X-Secret, X-Forwarded-For]}";
        try (MemorySite site = MemorySite.with(route(headers + ", rewrite: /below"))) {
            site.get("/a%2Fb?c=d", "X-Secret: s", "x-secret: t", "User-Agent: some", "Cookie: a=b", "X-Who: forged");
            String head = last(site).head();
            assertThat(head.toLowerCase(Locale.ROOT))
                    .contains("\r\nx-who: 127.0.0.1 http://site.example/a%2fb?c=d {}\r\n", "\r\nuser-agent: none\r\n")
                    .contains("\r\ncookie: a=b\r\n", "\r\ncookie: c=d\r\n")
                    .doesNotContain("x-secret", "forged", "some", "x-forwarded-for");
        }
    }

    @Test
    void placeholdersFollowTrustedProxies() {
        String headers = "headers: {set: {X-Who: \"{client-address} {scheme}\"}}";
        String[] fields = {"X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"};
        try (MemorySite site = MemorySite.with(route(headers))) {
            site.get("/", fields);
            assertThat(last(site).field("X-Who")).isEqualTo("127.0.0.1 http");
        }
        try (MemorySite site = MemorySite.with(route(headers), "listeners.web.trusted-proxies=[127.0.0.0/8]")) {
            site.get("/", fields);
            assertThat(last(site).field("X-Who")).isEqualTo("203.0.113.9 https");
        }
    }

    @Test
    void oneFamilyOfForwardedFieldsCounts() {
        String headers = "headers: {set: {X-Who: \"{client-address} {scheme}\"}}";
        String proxies = "listeners.web.trusted-proxies=[127.0.0.0/8]";
        String[] fields = {
            "Forwarded: for=203.0.113.7;proto=https", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: http"
        };
        try (MemorySite site = MemorySite.with(route(headers), proxies)) {
            assertThat(site.get("/", fields).status()).isEqualTo(400);
        }
        try (MemorySite site = MemorySite.with(route(headers), proxies, "listeners.web.forwarded=forwarded")) {
            assertThat(site.get("/", fields).status()).isEqualTo(200);
            assertThat(last(site).field("X-Who")).isEqualTo("203.0.113.7 https");
            assertThat(last(site).field("X-Forwarded-For")).isEqualTo("203.0.113.7, 127.0.0.1");
        }
        try (MemorySite site = MemorySite.with(route(headers), proxies, "listeners.web.forwarded=x-forwarded")) {
            assertThat(site.get("/", fields).status()).isEqualTo(200);
            assertThat(last(site).field("X-Who")).isEqualTo("203.0.113.9 http");
            assertThat(last(site).field("Forwarded")).isEmpty();
        }
    }

    @Test
    void responsesGetAndLoseFields() {
        String headers =
                "headers: {response: {set: {Strict-Transport-Security: max-age=1, Server: none, X-Path: \"{path}\"},"
                        + " add: {Link: </a>}, remove: [X-Powered-By]}}";
        try (MemorySite site = MemorySite.with(route(headers + ", rewrite: /below"))) {
            site.origin.behave(
                    TestOrigin.Behaviour.raw(
                            "HTTP/1.1 404 Not Found\r\nServer: x\r\nServer: y\r\nX-Powered-By: z\r\nLink: </b>\r\nContent-Length: 0\r\n\r\n"));
            RawClient.Response response = site.get("/page?q");
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.field("Strict-Transport-Security")).isEqualTo("max-age=1");
            assertThat(response.field("X-Path")).isEqualTo("/page");
            assertThat(response.head().toLowerCase(Locale.ROOT))
                    .contains("\r\nserver: none\r\n", "\r\nlink: </a>\r\n", "\r\nlink: </b>\r\n")
                    .doesNotContain("server: x", "server: y", "x-powered-by");
        }
    }

    @Test
    void refusalsGetConfiguredFieldsExceptTheirOwn() {
        String headers =
                "headers: {response: {set: {X-Frame-Options: DENY, Cache-Control: public, WWW-Authenticate: Basic},"
                        + " add: {Content-Type: text/plain, Link: </a>}, remove: [WWW-Authenticate, Cache-Control]}}";
        try (MemorySite site =
                MemorySite.with("routes=[{upstream: app, token: required, " + headers + "}]", Site.issuer())) {
            RawClient.Response refused = site.get("/");
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.field("X-Frame-Options")).isEqualTo("DENY");
            assertThat(refused.field("Link")).isEqualTo("</a>");
            assertThat(refused.field("WWW-Authenticate")).startsWith("PrivateToken ");
            assertThat(refused.head().toLowerCase(Locale.ROOT))
                    .contains("cache-control: no-store")
                    .doesNotContain("public", "basic", "text/plain");
            assertThat(site.get("/", "Authorization: " + Site.MINT.response(refused.field("WWW-Authenticate")))
                            .field("Cache-Control"))
                    .isEqualTo("public");
        }
    }

    @Test
    void sessionResponsesAreNeverCacheable() {
        String headers = "headers: {response: {set: {Cache-Control: public, Set-Cookie: a=b}}}";
        try (MemorySite site =
                MemorySite.with("routes=[{upstream: app, token: session, " + headers + "}]", Site.issuer())) {
            RawClient.Response opened = site.get("/", "Authorization: " + site.token());
            assertThat(opened.head().toLowerCase(Locale.ROOT)).contains("cache-control: no-store", "postern-session=");
        }
    }
}
