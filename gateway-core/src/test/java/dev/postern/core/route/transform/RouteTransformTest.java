package dev.postern.core.route.transform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RecordedResponse;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the responses that a route gives itself, and its changes to fields. */
class RouteTransformTest {

    private static final FieldName A = FieldName.of("x-a");
    private static final FieldName B = FieldName.of("x-b");

    private final RecordedResponse response = new RecordedResponse();

    private Exchange exchange(String path, String query, String authority, String scheme) {
        RequestHead head =
                new RequestHead().method(Method.GET).authority(authority).target(path, query);
        ClientConnection client = TestExchanges.UNTRUSTED;
        Exchange exchange = response.of(RoutingSnapshot.of(List.of())
                .rule(new Exchange(
                        client,
                        head,
                        new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW),
                        new Timeline(Ticker.newMockTicker()))));
        exchange.clientScheme(scheme);
        return exchange;
    }

    private Exchange exchange() {
        return exchange("/x", "?q=1", "a.example", "http");
    }

    private static RouteTransform transform(
            @Nullable Rewrite rewrite, @Nullable Redirect redirect, @Nullable Maintenance maintenance) {
        return new RouteTransform(
                HeaderModifications.NONE,
                HeaderModifications.NONE,
                rewrite,
                redirect,
                maintenance,
                null,
                UpgradePolicy.DEFAULT,
                RouteTransform.PathForm.AS_SENT);
    }

    private static Maintenance maintenance(String page, String... bypass) {
        return new Maintenance(page.getBytes(UTF_8), Duration.ofMinutes(2), CidrSet.of(List.of(bypass)));
    }

    // ---- redirects

    @ParameterizedTest(name = "{0} from {1}://{2}{3}{4}: {5}")
    @CsvSource({
        "https://{host}{path}{query}, http, a.example, /x, ?q=1, https://a.example/x?q=1",
        "https://{host}{path}{query}, https, a.example, /x, ?q=1, none",
        "https://{host}{path}{query}, https, a.example:443, /x, '', none",
        "https://{host}{path}{query}, https, a.example:8443, /x, '', https://a.example/x",
        "https://{host}:8443{path}, https, a.example:8443, /x, '', none",
        "http://{host}{path}{query}, http, a.example:80, /x, '', none",
        "http://{host}{path}{query}, http, a.example:443, /x, '', http://a.example/x",
        "https://other.example, http, a.example, /x, '', https://other.example",
        "/new, http, a.example, /x, '', /new",
        "/new, http, a.example, /new, '', none",
        "/new, http, a.example, /new, ?q, /new",
        "/new{path}, http, a.example, /x, '', /new/x",
        "/new#top, http, a.example, /new, '', none",
        "/new#top, http, a.example, /x, '', /new#top"
    })
    void redirectsWhatIsNotAtTheTargetYet(
            String target, String scheme, String authority, String path, String query, String location) {
        Exchange exchange = exchange(path, query, authority, scheme);
        boolean responds =
                transform(null, Redirect.of(target, 307, "a.example"), null).responses(exchange);
        assertThat(responds).isEqualTo(!location.equals("none"));
        assertThat(responds ? response.value(FieldName.LOCATION) : "none").isEqualTo(location);
        assertThat(response.status()).isEqualTo(responds ? 307 : 0);
    }

    @ParameterizedTest
    @CsvSource({
        "301, max-age=3600",
        "302, no-store",
        "303, no-store",
        "307, no-store",
        "308, max-age=3600",
    })
    void onlyPermanentRedirectsMayBeStored(int status, String cacheControl) {
        assertThat(transform(null, Redirect.of("/new", status, "*"), null).responses(exchange()))
                .isTrue();
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.values(FieldName.CACHE_CONTROL)).containsExactly(cacheControl);
        assertThat(response.body()).isEmpty();
    }

    // ---- maintenance

    @Test
    void aRouteInMaintenanceRefuses() {
        Exchange exchange = exchange();
        assertThat(transform(null, null, maintenance("")).responses(exchange)).isTrue();
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.values(FieldName.RETRY_AFTER)).containsExactly("120");
        assertThat(response.body()).contains("\"code\":\"maintenance\"");
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.MAINTENANCE);
    }

    @ParameterizedTest
    @CsvSource({
        "text/html, <p>later</p>, <p>later</p>",
        "application/json, <p>later</p>, maintenance",
        "text/html, '', Retry-After"
    })
    void browsersGetThePageOfTheRoute(String accept, String page, String body) {
        Exchange exchange = exchange();
        exchange.request().add(FieldName.ACCEPT, accept);
        transform(null, null, maintenance(page)).responses(exchange);
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.values(FieldName.RETRY_AFTER)).containsExactly("120");
        assertThat(response.body()).contains(body);
        assertThat(response.body().equals(page)).isEqualTo(accept.equals("text/html") && !page.isEmpty());
    }

    @Test
    void theWaitIsOneSecondAtLeast() {
        Maintenance brief = new Maintenance(new byte[0], Duration.ofMillis(10), CidrSet.NONE);
        transform(null, null, brief).responses(exchange());
        assertThat(response.values(FieldName.RETRY_AFTER)).containsExactly("1");
    }

    @Test
    void clientsOfTheBypassUseARouteInMaintenance() {
        assertThat(transform(null, null, maintenance("", "192.0.2.0/24")).responses(exchange()))
                .isFalse();
        assertThat(transform(null, null, maintenance("", "198.51.100.0/24")).responses(exchange()))
                .isTrue();
    }

    @Test
    void theRedirectComesBeforeMaintenance() {
        RouteTransform both = transform(null, Redirect.of("/new", 307, "*"), maintenance(""));
        assertThat(both.responses(exchange())).isTrue();
        assertThat(response.status()).isEqualTo(307);
        RouteTransformTest atTarget = new RouteTransformTest();
        assertThat(both.responses(atTarget.exchange("/new", "", "a.example", "http")))
                .isTrue();
        assertThat(atTarget.response.status()).isEqualTo(503);
    }

    @Test
    void otherRoutesPassTheirRequestsOn() {
        assertThat(RouteTransform.PLAIN.responses(exchange())).isFalse();
        assertThat(response.status()).isZero();
    }

    // ---- paths

    @Test
    void thePathIsSentAsTheClientSpeltItUnlessItIsRewritten() {
        assertThat(RouteTransform.PLAIN.sendsPathAsSent()).isTrue();
        assertThat(KeyDefaults.with(RouteTransform.PLAIN, Map.of("pathForm", RouteTransform.PathForm.NORMAL))
                        .sendsPathAsSent())
                .isFalse();
        assertThat(transform(Rewrite.of("/new", "/"), null, null).sendsPathAsSent())
                .isFalse();
    }

    @Test
    void rewriteAndRedirectMustBothAgree() {
        Redirect redirect = Redirect.of("/new", 307, "*");
        Rewrite rewrite = Rewrite.of("/a -> /b", "/");
        Exchange exchange = exchange("/x", "", "a.example", "http");
        assertThat(transform(rewrite, redirect, null).agrees(exchange, Set.of("/x")))
                .isTrue();
        assertThat(transform(null, redirect, null).agrees(exchange, Set.of("/new")))
                .isFalse();
        assertThat(transform(rewrite, null, null).agrees(exchange, Set.of("/a")))
                .isFalse();
        assertThat(RouteTransform.PLAIN.agrees(exchange, Set.of("/a"))).isTrue();
    }

    @Test
    void theRewrittenPathIsComputedOnceForAnExchange() {
        Rewrite rewrite = Rewrite.of("/x -> /y", "/");
        Exchange exchange = exchange();
        assertThat(rewrite.apply(exchange)).isEqualTo("/y");
        rewrite.agrees(exchange, Set.of());
        exchange.request().target("/z", "");
        assertThat(rewrite.apply(exchange)).isEqualTo("/y");
        assertThat(rewrite.apply("/z")).isEqualTo("/z");
    }

    // ---- fields

    private static List<String> values(ResponseHead head, FieldName name) {
        return IntStream.range(0, head.fields())
                .filter(head::present)
                .filter(i -> head.named(i, name))
                .mapToObj(head::valueAt)
                .toList();
    }

    private static HeaderModification field(FieldName name, String value) {
        return new HeaderModification(name, Template.of(value));
    }

    @Test
    void fieldsAreRemovedThenSetThenAdded() {
        ResponseHead head = new ResponseHead().status(200);
        head.add(A, "1");
        head.add(A, "2");
        head.add(B, "3");
        new HeaderModifications(List.of(B), List.of(field(A, "{path}")), List.of(field(A, "added"), field(B, "new")))
                .apply(head, exchange());
        assertThat(values(head, A)).containsExactly("/x", "added");
        assertThat(values(head, B)).containsExactly("new");
    }

    @Test
    void theGatewaysOwnResponsesGetOnlyMissingFields() {
        ResponseHead head = new ResponseHead().status(401);
        head.add(A, "own");
        new HeaderModifications(List.of(A), List.of(field(A, "site"), field(B, "{host}")), List.of(field(B, "late")))
                .complete(head, exchange());
        assertThat(values(head, A)).containsExactly("own");
        assertThat(values(head, B)).containsExactly("a.example");
    }

    @ParameterizedTest
    @CsvSource({
        "{client-address}, 192.0.2.7",
        "{host}, a.example",
        "{scheme}, https",
        "{path}, /x",
        "{query}, ?q=1",
        "{scheme}://{host}:8443{path}{query}#{{a}, https://a.example:8443/x?q=1#{a}",
        "plain, plain"
    })
    void templatesAreFilledByTheExchange(String template, String expected) {
        assertThat(Template.of(template).fill(exchange("/x", "?q=1", "a.example:443", "https")))
                .isEqualTo(expected);
    }
}
