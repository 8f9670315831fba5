package dev.postern.app.setting;

import static dev.postern.app.setting.Traced.attribute;
import static dev.postern.app.setting.Traced.client;
import static dev.postern.app.setting.Traced.hex;
import static dev.postern.app.setting.Traced.server;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what spans contain, and that they contain no personal data. */
class SpansIT {

    @Test
    void anExchangeAndItsUpstreamAreSpansOfOneTrace() {
        try (Traced traced = Traced.with(Traced.ALL)) {
            assertThat(traced.site.get("/a").status()).isEqualTo(200);

            List<Span> spans = traced.spans(2);
            Span server = server(spans);
            Span client = client(spans);
            assertThat(client.getTraceId()).isEqualTo(server.getTraceId());
            assertThat(client.getParentSpanId()).isEqualTo(server.getSpanId());
            assertThat(server.getParentSpanId().isEmpty()).isTrue();
            assertThat(traced.forwardedField("traceparent"))
                    .isEqualTo("00-" + hex(server.getTraceId()) + "-" + hex(client.getSpanId()) + "-01");
            assertThat(Traced.logged(traced.site, "trace")).isEqualTo(hex(server.getTraceId()));

            assertThat(server.getName()).isEqualTo("GET */");
            assertThat(attribute(server, "http.request.method")).isEqualTo("GET");
            assertThat(attribute(server, "http.route")).isEqualTo("*/");
            assertThat(attribute(server, "http.response.status_code")).isEqualTo("200");
            assertThat(attribute(server, "url.scheme")).isEqualTo("http");
            assertThat(attribute(server, "network.protocol.version")).isEqualTo("1.1");
            assertThat(attribute(server, "postern.listener")).isEqualTo("web");
            assertThat(attribute(server, "error.type") + attribute(server, "postern.refusal"))
                    .isEmpty();
            assertThat(server.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);

            assertThat(client.getName()).isEqualTo("GET app");
            assertThat(attribute(client, "peer.service")).isEqualTo("app");
            assertThat(attribute(client, "postern.reused")).isEqualTo("false");
            assertThat(attribute(client, "http.response.status_code")).isEqualTo("200");
        }
    }

    @Test
    void schemeIsThatOfTheClientBeforeATrustedProxy() {
        String claim = "X-Forwarded-Proto: https";
        try (Traced traced = Traced.with(Traced.ALL, Traced.TRUSTED)) {
            assertThat(traced.site.get("/", claim).status()).isEqualTo(200);
            assertThat(attribute(server(traced.spans(2)), "url.scheme")).isEqualTo("https");
        }
        try (Traced traced = Traced.with(Traced.ALL)) {
            assertThat(traced.site.get("/", claim).status()).isEqualTo(200);
            assertThat(attribute(server(traced.spans(2)), "url.scheme")).isEqualTo("http");
        }
    }

    @Test
    void spanTimesEqualTheTimesOfTheStages() {
        try (Traced traced = Traced.with(Traced.ALL)) {
            long start = System.currentTimeMillis() * 1_000_000;
            traced.site.get("/");
            List<Span> spans = traced.spans(2);
            long end = (System.currentTimeMillis() + 1) * 1_000_000;

            Span server = server(spans);
            Span client = client(spans);
            assertThat(server.getStartTimeUnixNano()).isBetween(start, client.getStartTimeUnixNano());
            assertThat(client.getEndTimeUnixNano()).isEqualTo(server.getEndTimeUnixNano());
            assertThat(server.getEndTimeUnixNano()).isLessThan(end);
            assertThat(stages(server)).isEqualTo(server.getEndTimeUnixNano() - server.getStartTimeUnixNano());
            assertThat(stages(client)).isEqualTo(client.getEndTimeUnixNano() - client.getStartTimeUnixNano());
            assertThat(attribute(server, "postern.stage.respond"))
                    .isEqualTo(attribute(client, "postern.stage.respond"))
                    .isNotEmpty();
            assertThat(attribute(client, "postern.stage.match")).isEmpty();
            assertThat(attribute(server, "postern.slowest")).isNotEmpty();
        }
    }

    private static long stages(Span span) {
        return span.getAttributesList().stream()
                .filter(one -> one.getKey().startsWith("postern.stage."))
                .mapToLong(one -> Math.round(one.getValue().getDoubleValue() * 1e9))
                .sum();
    }

    @Test
    void refusalsAreTracedWithTheirCode() {
        try (Traced traced = Traced.requiringTokens(Traced.ALL)) {
            traced.site.get("/");
            Span span = server(traced.spans(1));
            assertThat(attribute(span, "http.response.status_code")).isEqualTo("401");
            assertThat(attribute(span, "postern.refusal")).isEqualTo("token-required");
            assertThat(attribute(span, "postern.reason")).isEqualTo("missing");
            assertThat(attribute(span, "error.type")).isEmpty();
            assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        }
        try (Traced traced = Traced.with(Traced.ALL);
                RawClient client = traced.site.client()) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(400);
            assertThat(attribute(server(traced.spans(1)), "postern.refusal")).isEqualTo("request-malformed");
        }
    }

    @Test
    void upstreamFailuresAreErrorsOfBothSpans() {
        try (Traced traced = Traced.with(Traced.ALL)) {
            traced.site.origin.behave((request, socket) -> socket.close());
            assertThat(traced.site.get("/").status()).isEqualTo(502);
            List<Span> spans = traced.spans(2);
            for (Span span : spans) {
                assertThat(attribute(span, "error.type")).isEqualTo("upstream-closed");
                assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            }
            assertThat(attribute(server(spans), "http.response.status_code")).isEqualTo("502");
            assertThat(attribute(client(spans), "http.response.status_code")).isEmpty();
        }
        try (Traced traced = Traced.with(Traced.ALL)) {
            traced.site.origin.behave(Behaviour.raw("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"));
            traced.site.get("/");
            List<Span> spans = traced.spans(2);
            assertThat(attribute(client(spans), "error.type")).isEqualTo("404");
            assertThat(attribute(server(spans), "error.type")).isEmpty();
        }
    }

    @Test
    void spansContainSpends() {
        try (Traced traced = Traced.requiringTokens(Traced.NONE, "tracing.trust-parent=all")) {
            traced.site.get("/", "Authorization: " + traced.site.token(), "traceparent: " + Traced.SAMPLED);
            Span span = server(traced.spans(2));
            assertThat(attribute(span, "postern.token.spent")).isEqualTo("true");
            assertThat(attribute(span, "postern.stage.verify")).isNotEmpty();
        }
    }

    @Test
    void spansContainNoPersonalData() {
        try (Traced traced = Traced.requiringTokens(Traced.ALL, Traced.TRUSTED)) {
            String token = traced.site.token();
            String credential = token.replaceAll(".*token=\"?([^\",]+).*", "$1");
            for (int i = 0; i < 2; i++) { // the second request is refused
                traced.site.get(
                        "/geheim-path/x?geheim-query=1",
                        "Host: geheim-host.example",
                        "Authorization: " + token,
                        "User-Agent: geheim-agent",
                        "Cookie: geheim-cookie=1",
                        "Referer: http://geheim-referer/",
                        "X-Forwarded-For: 192.0.2.77",
                        "traceparent: " + Traced.SAMPLED,
                        "tracestate: geheim-state=1");
            }
            try (RawClient client = traced.site.client()) {
                client.send(Site.request("GEHEIM-METHOD", "/")).read();
            }
            List<Span> spans = traced.spansAfterClose();
            assertThat(spans).hasSizeGreaterThanOrEqualTo(4);
            assertThat(spans)
                    .anySatisfy(span ->
                            assertThat(attribute(span, "http.request.method")).isEqualTo("_OTHER"));
            for (TestOrigin.Received request : traced.collector.received()) {
                assertThat(request.head() + new String(request.body(), ISO_8859_1))
                        .contains("postern.listener")
                        .doesNotContainIgnoringCase("geheim")
                        .doesNotContain(credential, credential.substring(20, 60), "192.0.2.77", "PrivateToken");
                assertThat(new String(request.body(), ISO_8859_1)).doesNotContain("127.0.0.1", "site.example");
            }
        }
    }
}
