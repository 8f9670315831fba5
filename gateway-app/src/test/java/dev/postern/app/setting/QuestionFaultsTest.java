package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests questions whose description is missing, repeated, contradicting or malformed: none passes. */
class QuestionFaultsTest {

    private static final String OPEN = "routes=[{upstream: none, token: off}]";

    private static RawClient.Response send(MemorySite site, String request) {
        return Asking.send(site, Asking.PROXY, request.replace("|", "\r\n") + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "X-Original-URL: http://a/",
                "X-Original-Method: GET",
                "X-Original-URL: http://a/|X-Original-URL: http://a/|X-Original-Method: GET",
                "X-Original-URL: http://a/|X-Original-Method: GET|X-Original-Method: GET",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Host: a|X-Forwarded-Uri: /",
            })
    void incompleteDescriptionsOfNginxAre400(String fields) {
        try (MemorySite site = Asking.NGINX.site(OPEN)) {
            RawClient.Response response = send(site, "GET / HTTP/1.1|Host: a" + (fields.isEmpty() ? "" : "|" + fields));
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.field("Postern-Refusal")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Proto: http|X-Forwarded-Host: a|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Host: a|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Host: a",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Host: a|X-Forwarded-Uri: /|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http, https|X-Forwarded-Host: a|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Host: a, b|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: ftp|X-Forwarded-Host: a|X-Forwarded-Uri: /",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Host: a|X-Forwarded-Uri: http://a/",
                "X-Forwarded-Method: GET|X-Forwarded-Proto: http|X-Forwarded-Host: a|X-Forwarded-Uri: *",
                "X-Forwarded-Method: |X-Forwarded-Proto: http|X-Forwarded-Host: a|X-Forwarded-Uri: /",
                "X-Original-URL: http://a/|X-Original-Method: GET",
            })
    void faultsOfForwardedDescriptionsAre400(String fields) {
        try (MemorySite site = Asking.FORWARDED.site(OPEN)) {
            assertThat(send(site, "GET / HTTP/1.1|Host: a|" + fields).status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource({"/", "/asking/x", "/other", "/ASK/x", "/ask", "/ask/../x", "/%61sk/x"})
    void pathsOutsideThePrefixOfEnvoyAreRefused(String path) {
        try (MemorySite site = Asking.ENVOY.site(OPEN)) {
            assertThat(send(site, "GET " + path + " HTTP/1.1|Host: a").status()).isEqualTo(400);
            assertThat(send(site, "GET /ask/x HTTP/1.1|Host: a").status()).isEqualTo(200);
        }
    }

    /** nginx makes 500 of any other status than 401 and 403, so that the client's fault must not be 400. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a/open/%",
                "http://a/a\"b",
                "http:///",
                "http://a b/",
                "ftp://a/",
                "/open",
                "http://a/%00",
                "http://[::1/",
                "http://a:0/"
            })
    void malformedRequestsOfClientsAreRefusalsForNginx(String url) {
        try (MemorySite site = Asking.NGINX.site(OPEN)) {
            RawClient.Response response =
                    send(site, "GET / HTTP/1.1|Host: a|X-Original-Method: GET|X-Original-URL: " + url);
            assertThat(response.status()).isEqualTo(403);

            RawClient.Response rendered = send(
                    site,
                    "GET /.postern/refusal HTTP/1.1|Host: a|Postern-Refusal: " + response.field("Postern-Refusal"));
            assertThat(rendered.status()).isEqualTo(400);
            assertThat(rendered.body()).contains("request-malformed");
        }
    }

    @Test
    void headsTooLargeAreRefusalsForNginx() {
        try (MemorySite site = Asking.NGINX.site(OPEN, "limits.request-head=2KiB")) {
            RawClient.Response response = Asking.NGINX.ask(site, "http://a/", "Cookie: " + "c".repeat(4000));
            assertThat(response.status()).isEqualTo(403);
            RawClient.Response rendered = send(
                    site,
                    "GET /.postern/refusal HTTP/1.1|Host: a|Postern-Refusal: " + response.field("Postern-Refusal"));
            assertThat(rendered.status()).isEqualTo(431);
        }
    }
}
