package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests tokens and sessions through each proxy that asks. */
@ExtendWith(LeakExtension.class)
class ProxyTokensIT {

    private static final int RACERS = 20;
    private static final String SESSIONS = "routes=[{path: /, upstream: none, token: session}]";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void admitsATokenOnce(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            RawClient.Response without = site.get("/page?a=b");
            assertThat(without.status()).isEqualTo(401);
            assertThat(AskedSite.all(without.head(), "WWW-Authenticate"))
                    .singleElement()
                    .asString()
                    .startsWith("PrivateToken ");
            assertThat(without.field("Content-Type")).isEqualTo("application/problem+json");
            assertThat(without.body()).contains("\"token-required\"");
            assertThat(site.origin.received()).isEmpty();

            String token = site.token();
            assertThat(site.get("/page?a=b", token).status()).isEqualTo(200);
            assertThat(site.origin.received()).singleElement().satisfies(received -> {
                assertThat(received.line()).isEqualTo("GET /page?a=b HTTP/1.1");
                assertThat(received.field("Host")).isEqualTo("site.example");
                assertThat(received.field("Postern-Admission")).isEqualTo("token");
                assertThat("Authorization: " + received.field("Authorization"))
                        .as("stays")
                        .isEqualTo(token);
            });
            RawClient.Response replayed = site.get("/page?a=b", token);
            assertThat(replayed.status()).isEqualTo(401);
            assertThat(replayed.field("WWW-Authenticate")).startsWith("PrivateToken ");
            assertThat(site.origin.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasOneWinnerOfManyRequestsWithOneToken(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            String request = AskedSite.request("GET", "/", site.token());
            List<RawClient> racers = new ArrayList<>();
            for (int i = 0; i < RACERS; i++) {
                racers.add(site.client());
            }
            racers.forEach(racer -> racer.send(request));
            List<Integer> statuses =
                    racers.stream().map(racer -> racer.read().status()).toList();
            racers.forEach(RawClient::close);

            assertThat(statuses).containsOnly(200, 401).containsOnlyOnce(200);
            assertThat(site.origin.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesAWholePageForOneToken(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, SESSIONS)) {
            RawClient.Response first = site.get("/page", site.token());
            assertThat(first.status()).isEqualTo(200);
            assertThat(AskedSite.all(first.head(), "Set-Cookie"))
                    .singleElement()
                    .asString()
                    .startsWith("postern-session=");
            String session = AskedSite.cookies(first);
            int served = 0;
            for (int connection = 0; connection < 6; connection++) {
                try (RawClient client = site.client()) {
                    for (int i = 0; i < 10; i++) {
                        String path = "/file-" + connection + "-" + i;
                        served += client.send(AskedSite.request("GET", path, session))
                                                .read()
                                                .status()
                                        == 200
                                ? 1
                                : 0;
                    }
                }
            }

            assertThat(served).isEqualTo(60);
            assertThat(site.origin.received()).hasSize(61);
            assertThat(site.origin.received().subList(1, 61)).allSatisfy(received -> {
                assertThat(received.field("Postern-Admission")).isEqualTo("session");
                assertThat("Cookie: " + received.field("Cookie")).as("stays").isEqualTo(session);
            });
            assertThat(site.get("/page").status()).isEqualTo(401);
            assertThat(site.get("/page", session + "x").status()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyReportsWhereConfigured(ProxyKind kind) throws IOException {
        try (AskedSite site =
                AskedSite.behind(kind, folder, AskedSite.TOKENS, "privacy-pass.enforcement=report-only")) {
            assertThat(site.get("/page").status()).isEqualTo(200);
            assertThat(site.get("/page", "Authorization: PrivateToken token=\"broken\"")
                            .status())
                    .isEqualTo(200);
            assertThat(site.origin.received())
                    .extracting(received -> received.field("Postern-Admission"))
                    .containsExactly("open", "open");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(site.gateway.lines)
                            .filteredOn(line -> line.contains("would-refuse"))
                            .hasSize(2));
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesClientsOfHttp2(ProxyKind kind) throws IOException, InterruptedException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            RawClient.Response refused = site.proxy.http2("/page");
            assertThat(refused.head()).startsWith("HTTP/2 401 ");
            assertThat(refused.body()).contains("\"token-required\"");

            String token = AskedSite.token(refused);
            assertThat(site.proxy.http2("/page?a=b", token).head()).startsWith("HTTP/2 200 ");
            assertThat(site.proxy.http2("/page?a=b", token).head()).startsWith("HTTP/2 401 ");
            assertThat(site.origin.received()).singleElement().satisfies(received -> {
                assertThat(received.line()).isEqualTo("GET /page?a=b HTTP/1.1");
                assertThat(received.field("Postern-Admission")).isEqualTo("token");
            });
        }
    }

    /** The gateway learns from the description that the client uses TLS. */
    @Test
    void aSessionOverTlsBelongsToTheHost() throws IOException {
        try (AskedSite site = AskedSite.behind(ProxyKind.NGINX, folder, SESSIONS);
                RawClient client = site.proxy.tls()) {
            RawClient.Response refused =
                    client.send(AskedSite.request("GET", "/")).read();
            String token = AskedSite.token(refused);
            RawClient.Response first =
                    client.send(AskedSite.request("GET", "/", token)).read();
            assertThat(first.field("Set-Cookie"))
                    .startsWith("__Host-postern-session=")
                    .contains("Secure");
            assertThat(client.send(AskedSite.request("GET", "/", AskedSite.cookies(first)))
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }
}
