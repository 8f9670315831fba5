package dev.postern.app.setting;

import static dev.postern.app.setting.Traced.attribute;
import static dev.postern.app.setting.Traced.client;
import static dev.postern.app.setting.Traced.hex;
import static dev.postern.app.setting.Traced.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which trace contexts the gateway continues, and which trace fields upstreams receive. */
class TraceContextIT {

    @Test
    void withoutEndpointNothingIsTracedAndFieldsPassUnchanged() {
        try (Site site = Site.with("tracing.endpoint=null", Traced.ALL)) {
            site.get("/", "traceparent: what?", "Traceparent: ever", "tracestate: a=b");

            assertThat(site.origin.received().get(0).head())
                    .contains("\r\ntraceparent: what?\r\n", "\r\nTraceparent: ever\r\n", "\r\ntracestate: a=b\r\n");
            site.get("/");
            assertThat(site.origin.received().get(1).head()).doesNotContainIgnoringCase("trace");
            assertThat(Traced.logged(site, "trace")).isEmpty();
            assertThat(site.metrics()).doesNotContain("postern_trace");
        }
    }

    @Test
    void streamsOfHttp2AreTracedToo() {
        try (Traced traced = Traced.with(Traced.ALL, Traced.TRUSTED);
                FrameClient browser = FrameClient.connect(traced.site.port())) {
            assertThat(browser.get(1, "/", "traceparent", Traced.SAMPLED)
                            .response(1)
                            .status())
                    .isEqualTo("200");

            List<Span> spans = traced.spans(2);
            assertThat(attribute(server(spans), "network.protocol.version")).isEqualTo("2");
            assertThat(hex(server(spans).getTraceId())).isEqualTo(Traced.TRACE);
            assertThat(hex(server(spans).getParentSpanId())).isEqualTo(Traced.PARENT);
            assertThat(traced.forwardedField("traceparent"))
                    .isEqualTo("00-" + Traced.TRACE + "-" + hex(client(spans).getSpanId()) + "-01");
        }
    }

    @Test
    void continuesTracesOfTrustedProxies() {
        try (Traced traced = Traced.with(Traced.NONE, Traced.TRUSTED)) {
            traced.site.get("/", "traceparent: " + Traced.SAMPLED, "tracestate: a=1,b=2", "tracestate: c=3");
            assertThat(traced.site.origin.received().get(0).head())
                    .contains("\r\ntracestate: a=1,b=2\r\n", "\r\ntracestate: c=3\r\n")
                    .doesNotContain(Traced.PARENT);
            traced.site.get("/");
            assertThat(traced.forwardedField("traceparent")).isEmpty();

            List<Span> spans = traced.spansAfterClose();
            assertThat(spans).hasSize(2);
            assertThat(hex(server(spans).getTraceId())).isEqualTo(Traced.TRACE);
            assertThat(hex(server(spans).getParentSpanId())).isEqualTo(Traced.PARENT);
            assertThat(traced.site.origin.received().get(0).field("traceparent"))
                    .isEqualTo("00-" + Traced.TRACE + "-" + hex(client(spans).getSpanId()) + "-01");
        }
        try (Traced traced = Traced.with(Traced.ALL, Traced.TRUSTED)) {
            traced.site.get("/", "traceparent: " + Traced.UNSAMPLED, "tracestate: a=1");
            assertThat(traced.forwardedField("traceparent")).isEqualTo(Traced.UNSAMPLED);
            assertThat(traced.forwardedField("tracestate")).isEqualTo("a=1");
            assertThat(Traced.logged(traced.site, "trace")).isEmpty();
            assertThat(traced.spansAfterClose()).isEmpty();
        }
    }

    @Test
    void ignoresContextOfUntrustedClients() {
        try (Traced traced = Traced.with(Traced.NONE)) {
            traced.site.get("/", "traceparent: " + Traced.SAMPLED, "tracestate: a=1");
            assertThat(traced.site.origin.received().get(0).head()).doesNotContainIgnoringCase("trace");
            assertThat(traced.spansAfterClose()).isEmpty();
        }
        try (Traced traced = Traced.with(Traced.ALL)) {
            traced.site.get("/", "traceparent: " + Traced.UNSAMPLED, "tracestate: a=1");
            List<Span> spans = traced.spans(2);
            assertThat(hex(server(spans).getTraceId())).isNotEqualTo(Traced.TRACE);
            assertThat(server(spans).getParentSpanId().isEmpty()).isTrue();
            assertThat(traced.site.origin.received().get(0).head())
                    .doesNotContain(Traced.TRACE, Traced.PARENT, "tracestate");
        }
    }

    @Test
    void trustParentSelectsTheTrustedClients() {
        try (Traced traced = Traced.with(Traced.NONE, "tracing.trust-parent=all")) {
            traced.site.get("/", "traceparent: " + Traced.SAMPLED);
            assertThat(hex(server(traced.spans(2)).getTraceId())).isEqualTo(Traced.TRACE);
        }
        try (Traced traced = Traced.with(Traced.NONE, "tracing.trust-parent=none", Traced.TRUSTED)) {
            traced.site.get("/", "traceparent: " + Traced.SAMPLED);
            assertThat(traced.forwardedField("traceparent")).isEmpty();
            assertThat(traced.spansAfterClose()).isEmpty();
        }
    }

    @Test
    void malformedContextIsRemoved() {
        List<String> fields = List.of(
                "traceparent: " + Traced.SAMPLED + "\r\ntraceparent: " + Traced.SAMPLED,
                "traceparent: 00-" + Traced.TRACE + "-" + Traced.PARENT + "-01-x",
                "traceparent: ff-" + Traced.TRACE + "-" + Traced.PARENT + "-01",
                "traceparent: ",
                "X-Other: 1");
        try (Traced traced = Traced.with(Traced.NONE, Traced.TRUSTED)) {
            for (String field : fields) {
                traced.site.get("/", field, "tracestate: a=1");
            }
            assertThat(traced.site.origin.received())
                    .hasSize(fields.size())
                    .allSatisfy(request -> assertThat(request.head()).doesNotContainIgnoringCase("trace"));
            assertThat(traced.spansAfterClose()).isEmpty();
        }
    }

    @Test
    void dropsTracestateBeyondTheLimit() {
        try (Traced traced = Traced.with(Traced.NONE, Traced.TRUSTED)) {
            String longest = "a=" + "x".repeat(510);
            traced.site.get("/", "traceparent: " + Traced.UNSAMPLED, "tracestate: " + longest);
            assertThat(traced.forwardedField("tracestate")).isEqualTo(longest);
            traced.site.get("/", "traceparent: " + Traced.UNSAMPLED, "tracestate: " + longest, "tracestate: b");
            assertThat(traced.forwardedField("tracestate")).isEmpty();
            assertThat(traced.forwardedField("traceparent")).isEqualTo(Traced.UNSAMPLED);
        }
    }

    @Test
    void forwardExchangesAreTracedWithoutTraceFields() {
        try (Traced traced = Traced.forwarding(
                        "token: off, allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8]",
                        Traced.ALL,
                        "tracing.trust-parent=all");
                RawClient client = traced.site.client("out")) {
            String target = traced.site.origin.address();
            client.send("GET http://" + target + "/ HTTP/1.1\r\nHost: " + target + "\r\n\r\n")
                    .read();
            assertThat(traced.site.origin.received().get(0).head()).doesNotContainIgnoringCase("trace");
            client.send("GET http://" + target + "/ HTTP/1.1\r\nHost: " + target + "\r\ntraceparent: "
                            + Traced.UNSAMPLED + "\r\ntracestate: a=1\r\n\r\n")
                    .read();
            assertThat(traced.forwardedField("traceparent")).isEqualTo(Traced.UNSAMPLED);
            assertThat(traced.forwardedField("tracestate")).isEqualTo("a=1");
            client.send("CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n")
                    .readConnect();

            List<Span> spans = traced.spans(3);
            assertThat(spans).extracting(Span::getName).containsOnly("GET forward:default", "CONNECT forward:default");
            assertThat(spans).extracting(span -> hex(span.getTraceId())).doesNotContain(Traced.TRACE);
            String port = Integer.toString(traced.site.origin.port());
            assertThat(spans.toString()).doesNotContain("127.0.0.1", port);
        }
    }
}
