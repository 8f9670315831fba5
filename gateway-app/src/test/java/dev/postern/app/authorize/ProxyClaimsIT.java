package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that what a client says of its request or of its admission has no effect, neither at the gateway nor at the site. */
@ExtendWith(LeakExtension.class)
class ProxyClaimsIT {

    /** Describe a request that needs no token, of another client. */
    private static final String[] CLAIMS = {
        "X-Original-URL: http://site.example/open",
        "X-Original-Method: OPTIONS",
        "X-Forwarded-Uri: /open",
        "X-Forwarded-Method: OPTIONS",
        "X-Forwarded-Host: open.example",
        "X-Forwarded-Proto: https",
        "X-Forwarded-For: 192.0.2.7",
        "Forwarded: for=192.0.2.7;host=open.example;proto=https",
        "Postern-Admission: token",
        "Postern-Agent: https://agent.example",
        "Postern-Refusal: forged",
        "Postern_Admission: token",
        "Postern_Agent: https://agent.example",
        "X-Request-ID: forged",
    };

    /** What no value of a field at the site may contain. */
    private static final List<String> FORGED =
            List.of("192.0.2.7", "open.example", "agent.example", "forged", "token", "OPTIONS", "/open");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void claimsOfClientsHaveNoEffect(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            assertThat(site.get("/", CLAIMS).status()).isEqualTo(401);
            for (String claim : CLAIMS) {
                assertThat(site.get("/", claim).status()).as(claim).isEqualTo(401);
                assertThat(site.get("/", claim, claim).status())
                        .as("twice " + claim)
                        .isEqualTo(401);
            }
            assertThat(site.origin.received()).isEmpty();

            assertThat(site.get("/open/page", CLAIMS).status()).isEqualTo(200);
            assertThat(site.origin.received()).singleElement().satisfies(received -> {
                assertThat(received.field("Postern-Admission")).isEqualTo("open");
                assertThat(received.head().lines().skip(1).filter(line -> !line.isEmpty()))
                        .allSatisfy(line -> assertThat(line.substring(line.indexOf(':')))
                                .satisfies(value -> assertThat(FORGED).noneMatch(value::contains)));
            });
        }
    }

    /** A field that {@code Connection} names is removed by proxies: the site must not take what is missing for an admission. */
    @ParameterizedTest
    @EnumSource
    void fieldsOfTheAnswerAreNotRemovedByTheClient(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            String[] names = {
                "Postern-Admission", "X-Original-URL", "X-Original-Method", "X-Forwarded-For", "X-Forwarded-Uri",
                "X-Forwarded-Method", "X-Forwarded-Host", "X-Forwarded-Proto", "Cookie", "Authorization"
            };
            for (String name : names) {
                int status = site.get("/", "Connection: " + name).status();
                assertThat(status).as(name).isBetween(400, 499);
            }
            assertThat(site.origin.received()).isEmpty();
            site.get("/open", "Connection: Postern-Admission");
            assertThat(site.origin.received())
                    .allSatisfy(received ->
                            assertThat(received.field("Postern-Admission")).isEqualTo("open"));
        }
    }

    /** Sessions and limits count by this address. */
    @ParameterizedTest
    @EnumSource
    void theGatewayLearnsTheAddressOfTheClient(ProxyKind kind) throws IOException {
        String limit = "rate-limits=[{name: site, rate: 1/h, burst: 0, per: client-address}]";
        String route = "routes=[{path: /, upstream: none, token: off, rate-limit: site}]";
        try (AskedSite site = AskedSite.behind(kind, folder, limit, route)) {
            List<Integer> statuses = Stream.of("127.0.0.9", "127.0.0.9", "127.0.0.10", "127.0.0.10")
                    .map(from -> {
                        try (RawClient client = new RawClient(from, site.proxy.port())) {
                            return client.send(
                                            AskedSite.request("GET", "/", "X-Forwarded-For: 192.0.2." + from.length()))
                                    .read()
                                    .status();
                        }
                    })
                    .toList();
            assertThat(statuses).containsExactly(200, 429, 200, 429);
            RawClient.Response limited = site.get("/");
            assertThat(Integer.parseInt(limited.field("Retry-After"))).isPositive();
            assertThat(limited.field("Content-Type")).isEqualTo("application/problem+json");
            assertThat(limited.body()).contains("\"rate-limited\"");
            assertThat(limited.head().toLowerCase(Locale.ROOT)).contains("ratelimit:");
        }
    }
}
