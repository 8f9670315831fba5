package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Received;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A site and the collector that its gateway sends spans to. */
final class Traced implements AutoCloseable {

    /** Every exchange is traced. */
    static final String ALL = "tracing.sample=100%";

    /** Only exchanges of traced parents are traced. */
    static final String NONE = "tracing.sample=0%";

    /** Clients of this machine are trusted proxies. */
    static final String TRUSTED = "listeners.web.trusted-proxies=[127.0.0.0/8]";

    static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    static final String PARENT = "00f067aa0ba902b7";
    static final String SAMPLED = "00-" + TRACE + "-" + PARENT + "-01";
    static final String UNSAMPLED = "00-" + TRACE + "-" + PARENT + "-00";

    final TestOrigin collector = new TestOrigin();
    final Site site;

    private Traced(List<String> first, String... settings) {
        String endpoint = "tracing.endpoint=\"http://" + collector.address() + "/v1/traces\"";
        site = Site.with(Stream.concat(Stream.of(endpoint), first.stream()).toList(), settings);
    }

    static Traced with(String... settings) {
        return new Traced(List.of(), settings);
    }

    /** Opens a site whose routes require tokens of the mint. */
    static Traced requiringTokens(String... settings) {
        return new Traced(List.of(Site.TOKEN_REQUIRED, Site.issuer()), settings);
    }

    /** Opens a site with a forward listener instead of the reverse listener. */
    static Traced forwarding(String policy, String... settings) {
        return new Traced(Site.forward(policy), settings);
    }

    /** Waits for exactly this number of spans, and returns them. */
    List<Span> spans(int expected) {
        await().untilAsserted(() -> assertThat(receivedSpans()).hasSize(expected));
        return receivedSpans();
    }

    private List<Span> receivedSpans() {
        List<Span> spans = new ArrayList<>();
        for (Received request : collector.received()) {
            spans.addAll(read(request).getResourceSpans(0).getScopeSpans(0).getSpansList());
        }
        return spans;
    }

    /** Returns the resource that the gateway exports. */
    Resource resource() {
        return read(collector.received().get(0)).getResourceSpans(0).getResource();
    }

    private static ExportTraceServiceRequest read(Received request) {
        try {
            return ExportTraceServiceRequest.parseFrom(request.body());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Closes the gateway, which exports its remaining spans, and returns all spans. */
    List<Span> spansAfterClose() {
        site.gateway().close();
        return receivedSpans();
    }

    static Span only(List<Span> spans, SpanKind kind) {
        List<Span> all = spans.stream().filter(span -> span.getKind() == kind).toList();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    static Span server(List<Span> spans) {
        return only(spans, SpanKind.SPAN_KIND_SERVER);
    }

    static Span client(List<Span> spans) {
        return only(spans, SpanKind.SPAN_KIND_CLIENT);
    }

    static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    /** Returns the attribute as text, or an empty string without the attribute. */
    static String attribute(List<KeyValue> attributes, String key) {
        return attributes.stream()
                .filter(one -> one.getKey().equals(key))
                .map(KeyValue::getValue)
                .map(value -> switch (value.getValueCase()) {
                    case STRING_VALUE -> value.getStringValue();
                    case INT_VALUE -> Long.toString(value.getIntValue());
                    case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
                    case DOUBLE_VALUE -> Double.toString(value.getDoubleValue());
                    default -> throw new IllegalStateException(value.toString());
                })
                .collect(Collectors.joining());
    }

    static String attribute(Span span, String key) {
        return attribute(span.getAttributesList(), key);
    }

    /** Returns the value of the key in the newest line of the log. */
    static String logged(Site site, String key) {
        await().until(() -> !site.lines.isEmpty());
        return JsonMapper.shared()
                .readTree(site.lines.get(site.lines.size() - 1))
                .path(key)
                .asString("");
    }

    /** Returns the field of the last request that the origin received. */
    String forwardedField(String field) {
        List<Received> received = site.origin.received();
        return received.get(received.size() - 1).field(field);
    }

    @Override
    public void close() {
        site.close();
        collector.close();
    }
}
