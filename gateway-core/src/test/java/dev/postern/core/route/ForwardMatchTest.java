package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a forward listener does with a request: its policy, or a refusal. */
class ForwardMatchTest {

    private static final String UDP = UdpTarget.PREFIX + "example.org/443/";

    private static RoutingSnapshot snapshot(long maxBody) {
        Route route = TestRoute.of(
                "forward:default", "*", "/", "", Route.Token.OFF, null, Preflight.REFUSE, Duration.ZERO, maxBody);
        ForwardPolicy policy = new ForwardPolicy(route, KeyDefaults.of(ForwardSettings.class));
        return new RoutingSnapshot(new RouteTable(List.of()), Map.of("default", policy), Map.of());
    }

    private static MatchedExchange match(RequestHead head) {
        return new MatchedExchange(head, "default", snapshot(0));
    }

    private static RequestHead absolute(String method, String scheme) {
        return MatchedExchange.head(method, "example.org", "/x").absolute(true).scheme(scheme);
    }

    @ParameterizedTest
    @CsvSource({"http, forward:default", "https, destination-forbidden", "ftp, destination-forbidden"})
    void onlyPlainHttpIsForwardedByUrl(String scheme, String expected) {
        assertThat(match(absolute("GET", scheme)).result()).isEqualTo(expected);
    }

    @Test
    void connectIsForwarded() {
        assertThat(match(MatchedExchange.head("CONNECT", "example.org:443", "")).result())
                .isEqualTo("forward:default");
    }

    @ParameterizedTest(name = "HTTP/{0} {1} {2} {3}: {4}")
    @CsvSource({
        "1, GET, '', /x, misdirected",
        "1, GET, websocket, /x, misdirected",
        "1, GET, connect-udp, /x, route-not-found",
        "1, GET, connect-udp, UDP, forward:default",
        "1, GET, Connect-UDP, UDP, forward:default",
        "1, GET, '', UDP, request-malformed",
        "1, GET, websocket, UDP, request-malformed",
        "2, CONNECT, connect-udp, UDP, forward:default",
        "2, CONNECT, connect-udp, /x, route-not-found",
        "2, CONNECT, websocket, /x, not-implemented",
        "2, CONNECT, websocket, UDP, request-malformed",
        "2, CONNECT, '', '', forward:default",
    })
    void aPathOfTheGatewayIsForUdpTunnelsAlone(
            int version, String method, String upgrade, String path, String expected) {
        RequestHead head = MatchedExchange.head(method, "proxy.example", path.equals("UDP") ? UDP : path)
                .majorVersion(version)
                .upgrade(upgrade);
        assertThat(match(head).result()).isEqualTo(expected);
    }

    @Test
    void anUpgradeInAnAbsoluteRequestOfHttp1IsForwarded() {
        assertThat(match(absolute("GET", "http").upgrade("websocket")).result()).isEqualTo("forward:default");
    }

    @Test
    void aUdpTunnelHasItsTarget() {
        MatchedExchange matched =
                match(MatchedExchange.head("GET", "proxy.example", UDP).upgrade("connect-udp"));
        assertThat(UdpTarget.of(matched.exchange())).isEqualTo(new UdpTarget("example.org", 443));
        assertThat(UdpTarget.of(match(absolute("GET", "http")).exchange())).isNull();
    }

    @ParameterizedTest
    @CsvSource({"example.org/443, template", "example.org/0/, port", "exa mple.org/443/, host"})
    void theLogSaysWhatIsWrongWithATarget(String target, String reason) {
        MatchedExchange matched = match(MatchedExchange.head("GET", "proxy.example", UdpTarget.PREFIX + target)
                .upgrade("connect-udp"));
        assertThat(matched.result()).isEqualTo("request-malformed");
        assertThat(matched.exchange().outcome().reason()).isEqualTo(reason);
    }

    @Test
    void theLogSaysThatATargetNeedsTheUpgrade() {
        MatchedExchange matched = match(MatchedExchange.head("GET", "proxy.example", UDP));
        assertThat(matched.result()).isEqualTo("request-malformed");
        assertThat(matched.exchange().outcome().reason()).isEqualTo("connect-udp");
    }

    @Test
    void aPolicyThatAReloadRemovedPermitsNothing() {
        RequestHead head = MatchedExchange.head("CONNECT", "example.org:443", "");
        assertThat(new MatchedExchange(head, "gone", snapshot(0)).result()).isEqualTo("destination-forbidden");
    }

    @ParameterizedTest
    @CsvSource({"0, 204", "3, forward:default", "x, request-malformed"})
    void maxForwardsEndsOptionsHere(String value, String expected) {
        RequestHead head = absolute("OPTIONS", "http");
        head.add(FieldName.MAX_FORWARDS, value);
        assertThat(match(head).result()).isEqualTo(expected);
    }

    @Test
    void optionsOfAPathOfTheGatewayIsNotForwarded() {
        assertThat(match(MatchedExchange.head("OPTIONS", "proxy.example", "*")).result())
                .isEqualTo("misdirected");
    }

    @ParameterizedTest
    @CsvSource({"10, forward:default", "11, body-too-large"})
    void thePolicyLimitsTheBodyThatARequestAnnounces(long length, String expected) {
        RequestHead head = absolute("POST", "http").bodyLength(length);
        assertThat(new MatchedExchange(head, "default", snapshot(10)).result()).isEqualTo(expected);
    }
}
