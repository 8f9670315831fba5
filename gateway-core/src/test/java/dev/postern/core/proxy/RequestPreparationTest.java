package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.KeyDefaults;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the head that an upstream gets. */
class RequestPreparationTest {

    private final ExchangeFixture client = new ExchangeFixture();

    private boolean prepare() {
        return RequestPreparation.prepare(client.exchange(), new Via("postern"));
    }

    private @Nullable String value(String name) {
        return client.request().joined(FieldName.of(name));
    }

    private static String target(RequestHead request) {
        int start = request.targetStart();
        return new String(request.bytes(), start, request.targetEnd() - start, StandardCharsets.ISO_8859_1);
    }

    @Test
    void reportsTheClient() {
        client.request().add(FieldName.X_FORWARDED_FOR, "198.51.100.7");
        assertThat(prepare()).isTrue();
        assertThat(value("x-forwarded-for")).isEqualTo("192.0.2.7");
        assertThat(value("x-forwarded-proto")).isEqualTo("https");
        assertThat(value("via")).isEqualTo("1.1 postern");
    }

    @Test
    void removesTheFieldsOfTheClientsConnection() {
        client.request().add(FieldName.CONNECTION, "x-hop, te");
        client.request().add(FieldName.of("x-hop"), "1");
        client.request().add(FieldName.TE, "gzip");
        prepare();
        assertThat(value("connection")).isNull();
        assertThat(value("x-hop")).isNull();
        assertThat(value("te")).isNull();
    }

    @Test
    void asksForTrailersWhereTheClientTakesThem() {
        client.request().takesTrailers(true);
        prepare();
        assertThat(value("te")).isEqualTo("trailers");
        assertThat(value("connection")).isEqualTo("te");
    }

    @ParameterizedTest
    @CsvSource({"1, websocket, true, false", "2, websocket, true, true", "1, tcp, false, false", "1, '', false, false"})
    void asksForTheUpgradesThatTheRoutePermits(int version, String protocol, boolean asked, boolean key) {
        client.request().majorVersion(version).upgrade(protocol);
        prepare();
        assertThat(value("upgrade")).isEqualTo(asked ? protocol : null);
        assertThat(value("connection")).isEqualTo(asked ? "upgrade" : null);
        assertThat(client.request().has(WebSocketKey.KEY)).isEqualTo(key);
    }

    /** Host is optional in HTTP/1.0 and required in HTTP/1.1 (RFC 9112 section 3.2). */
    @ParameterizedTest
    @CsvSource({"sent.example, site.example, sent.example", "'', site.example, site.example", "'', '', app"})
    void sendsAHost(String sent, String authority, String host) {
        client.request().authority(authority);
        if (!sent.isEmpty()) {
            client.request().add(FieldName.HOST, sent);
        }
        prepare();
        assertThat(value("host")).isEqualTo(host);
    }

    @Test
    void continuesTheTraceOfTheExchange() {
        client.request().add(FieldName.TRACEPARENT, "of the client");
        prepare();
        assertThat(value("traceparent")).isEqualTo("of the client");

        ExchangeFixture traced = new ExchangeFixture();
        TraceContext own = new TraceContext(1, 2, 3, TraceContext.SAMPLED);
        TraceContext next = new TraceContext(1, 2, 4, TraceContext.SAMPLED);
        new Trace(own, 0, next).take(traced.exchange());
        RequestPreparation.prepare(traced.exchange(), new Via("postern"));
        assertThat(traced.request().joined(FieldName.TRACEPARENT)).isEqualTo(next.traceparent());
    }

    @Test
    void theRouteMayRemoveTheFieldsOfTheGateway() {
        client.transform(KeyDefaults.with(
                RouteTransform.PLAIN,
                Map.of(
                        "request",
                        new HeaderModifications(List.of(FieldName.X_FORWARDED_PROTO), List.of(), List.of()))));
        prepare();
        assertThat(value("x-forwarded-proto")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"/a/b, true, /new/b?q", "/other, true, /other?q", "/a/%00, false, ''"})
    void rewritesThePath(String path, boolean prepared, String sent) {
        client.request().target(path, "?q");
        client.transform(
                KeyDefaults.with(RouteTransform.PLAIN, Map.of("rewrite", Rewrite.of("^/a/(.*)$ -> /new/$1", "/"))));
        assertThat(prepare()).isEqualTo(prepared);
        if (prepared) {
            assertThat(target(client.request())).isEqualTo(sent);
        }
    }
}
