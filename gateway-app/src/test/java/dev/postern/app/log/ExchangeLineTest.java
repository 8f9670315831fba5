package dev.postern.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.log.LogSettings.ClientAddress;
import dev.postern.app.log.LogSettings.Level;
import dev.postern.app.log.LogSettings.Switch;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExchangeLineTest {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final DefaultEventLoop loop = new DefaultEventLoop();

    @AfterEach
    void stop() {
        loop.shutdownGracefully();
    }

    private Exchange exchange(ListenerInfo.Mode mode, String path) {
        return exchange(mode, path, "192.0.2.77");
    }

    private Exchange exchange(ListenerInfo.Mode mode, String path, String address) {
        return exchange(mode, path, address, CidrSet.NONE);
    }

    private Exchange exchange(ListenerInfo.Mode mode, String path, String address, CidrSet trusted) {
        RequestHead request = new RequestHead().authority("site.example").target(path, "?secret=1");
        request.add(FieldName.AUTHORIZATION, "PrivateToken token=abcdef");
        ClientConnection client;
        try {
            client = new ClientConnection(
                    new ListenerInfo("web", mode, "", "", trusted, false),
                    loop,
                    InetAddress.getByName(address),
                    5,
                    false);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
        return RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        client,
                        request,
                        new Exchange.Carrier(RequestBody.EMPTY, new RecordedResponse(), PipelineTurn.NOW),
                        new Timeline(Ticker.newMockTicker())));
    }

    private static JsonNode line(LogSettings settings, Exchange exchange) {
        return JsonMapper.shared().readTree(new ExchangeLine(settings).of(exchange, NOW));
    }

    private static final LogSettings DEFAULTS = settings(Switch.OFF);

    private static LogSettings settings(Switch more, LogField... fields) {
        return new LogSettings(
                Level.INFO,
                LogSettings.Format.TEXT,
                new Share(1),
                Duration.ZERO,
                Rate.of("0"),
                ClientAddress.TRUNCATED,
                more,
                more,
                new LogSettings.Exchanges(LogTarget.of("stdout"), ByteSize.of("1MiB"), 1, List.of(fields)));
    }

    @Test
    void hasTheSelectedFieldsInTheOrderOfTheLog() {
        Exchange exchange = exchange(ListenerInfo.Mode.REVERSE, "/p");
        exchange.timeline().mark(StageName.MATCH, 5_000);
        exchange.refuse(Refusal.TOKEN_REQUIRED);

        assertThat(new ExchangeLine(settings(Switch.ON, LogField.STAGES_US, LogField.STATUS, LogField.HOST))
                        .of(exchange, NOW))
                .isEqualTo("{\"host\":\"site.example\",\"status\":401,\"stages-us\":{\"match\":5}}");
        assertThat(new ExchangeLine(settings(Switch.OFF, LogField.QUERY)).of(exchange, NOW))
                .as("a field that another key switches off")
                .isEqualTo("{}");
    }

    /** Of the fields that this exchange has: those of routes, traces and extensions have tests of their own. */
    @Test
    void hasEachSelectedFieldAlone() {
        Exchange exchange = exchange(ListenerInfo.Mode.REVERSE, "/p");
        exchange.requestId(Field.of(FieldName.of("x-request-id"), "abc-1"));
        exchange.outcome().reported(Refusal.TOKEN_REQUIRED, "missing");
        exchange.outcome().upstream("app");
        exchange.outcome().reason("spent");
        exchange.outcome().markCut();
        exchange.refuse(Refusal.TOKEN_REQUIRED);
        Set<LogField> all =
                EnumSet.complementOf(EnumSet.of(LogField.ROUTE, LogField.TRACE, LogField.BEFORE_US, LogField.EXTRA));

        assertThat(names(line(settings(Switch.ON), exchange)))
                .containsExactlyElementsOf(all.stream().map(LogField::label).toList());
        for (LogField field : all) {
            assertThat(names(line(settings(Switch.ON, field), exchange))).containsExactly(field.label());
        }
    }

    private static List<String> names(JsonNode line) {
        return List.copyOf(line.propertyNames());
    }

    @Test
    void hasTheTimeBeforeTheGatewayThatATrustedProxyReports() {
        CidrSet trusted = CidrSet.of(List.of("192.0.2.0/24"));
        for (String proxy : List.of("192.0.2.7", "198.51.100.7")) {
            Exchange exchange = exchange(ListenerInfo.Mode.REVERSE, "/p", proxy, trusted);
            exchange.request().add(FieldName.of("x-request-start"), "t=" + (NOW.toEpochMilli() - 250));
            exchange.timeline().mark(StageName.MATCH, 50_000_000);
            JsonNode before = line(DEFAULTS, exchange).path("before-us");
            assertThat(before.asInt(0)).isEqualTo(proxy.startsWith("192") ? 200_000 : 0);
        }
    }

    @Test
    void hasTheIdThatTheClientKnows() {
        Exchange exchange = exchange(ListenerInfo.Mode.REVERSE, "/p");
        assertThat(line(DEFAULTS, exchange).has("id")).isFalse();
        exchange.requestId(Field.of(FieldName.of("x-request-id"), "abc-1"));
        assertThat(line(DEFAULTS, exchange).get("id").asString()).isEqualTo("abc-1");
    }

    @Test
    void containsFaultAndTimes() {
        Exchange exchange = exchange(ListenerInfo.Mode.REVERSE, "/p");
        exchange.timeline().mark(StageName.MATCH, 5_000);
        exchange.timeline().mark(StageName.SPEND, 50_000);
        exchange.outcome().reason("spent");
        exchange.refuse(Refusal.TOKEN_REQUIRED);
        JsonNode line = line(DEFAULTS, exchange);
        assertThat(line.get("time").asString()).isEqualTo("2026-11-20T12:00:00Z");
        assertThat(line.get("status").asInt()).isEqualTo(401);
        assertThat(line.get("code").asString()).isEqualTo("token-required");
        assertThat(line.get("blame").asString()).isEqualTo("client");
        assertThat(line.get("reason").asString()).isEqualTo("spent");
        assertThat(line.get("total-us").asInt()).isEqualTo(50);
        assertThat(line.get("slowest").asString()).isEqualTo("ledger");
        assertThat(line.get("stages-us").get("spend").asInt()).isEqualTo(45);
    }

    @Test
    void containsNeitherTokenNorQueryNorFullAddress() {
        String text = new ExchangeLine(DEFAULTS).of(exchange(ListenerInfo.Mode.REVERSE, "/p"), NOW);
        assertThat(text).doesNotContain("abcdef", "secret", "192.0.2.77").contains("192.0.2.0/24", "/p");
    }

    /** The first 48 bits of a 6to4 address have all of the IPv4 address. */
    @Test
    void containsNoFullAddressOfA6to4Host() {
        Exchange exchange = exchange(ListenerInfo.Mode.REVERSE, "/p", "2002:c000:24d::1");

        assertThat(line(DEFAULTS, exchange).get("client").asString()).isEqualTo("192.0.2.0/24");
    }

    @Test
    void containsNoDestinationOfAForwardListener() {
        String text = new ExchangeLine(DEFAULTS).of(exchange(ListenerInfo.Mode.FORWARD, "/p"), NOW);
        assertThat(text).doesNotContain("site.example", "/p");
    }

    @Test
    void containsMoreWhenConfigured() {
        LogSettings configured = settings(Switch.ON);
        assertThat(line(configured, exchange(ListenerInfo.Mode.REVERSE, "/p"))
                        .get("query")
                        .asString())
                .isEqualTo("?secret=1");
        assertThat(line(configured, exchange(ListenerInfo.Mode.FORWARD, "/p"))
                        .get("host")
                        .asString())
                .isEqualTo("site.example");
        assertThat(line(configured, exchange(ListenerInfo.Mode.REVERSE, "/p"))
                        .get("client")
                        .asString())
                .isEqualTo("192.0.2.0/24");
    }

    @Test
    void isOneLineOfJsonForEachPath() {
        String text = new ExchangeLine(DEFAULTS).of(exchange(ListenerInfo.Mode.REVERSE, "/\"\\\n\u007f"), NOW);
        assertThat(text.lines()).hasSize(1);
        assertThat(JsonMapper.shared().readTree(text).get("path").asString()).isEqualTo("/\"\\\n\u007f");
    }
}
