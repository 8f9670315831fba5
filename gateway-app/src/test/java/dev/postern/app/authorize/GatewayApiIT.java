package dev.postern.app.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Tests the configuration for the Gateway API by what an implementation sends for it: the method of the client, its path below {@code
 * http.path}, Host, Authorization, and of the other fields those that {@code allowedHeaders} names (HTTPAuthConfig).
 */
@ExtendWith(LeakExtension.class)
class GatewayApiIT {

    private static final String LISTENER = "listeners.auth.address=127.0.0.1:0";
    private static final String TRUSTED = "listeners.auth.trusted-proxies=[127.0.0.1/32]";

    private final JsonNode rules = new YAMLMapper()
            .readTree(ProxyPage.read().file("gateway-api/route.yaml"))
            .path("spec")
            .path("rules");
    private final JsonNode auth = rules.path(1).path("filters").path(0).path("externalAuth");

    @TempDir
    private Path folder;

    private AskedGateway gateway(String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(LISTENER, TRUSTED));
        all.addAll(List.of(settings));
        ProxyPorts ports = ProxyPorts.before(ServerProcess.freePort());
        return new AskedGateway("gateway-api", ports, folder, all.toArray(String[]::new));
    }

    /** Returns what the gateway says to a request of a client. */
    private RawClient.Response ask(AskedGateway gateway, String method, String path, String... fields) {
        List<String> allowed = new ArrayList<>(List.of("authorization"));
        auth.path("http")
                .path("allowedHeaders")
                .forEach(name -> allowed.add(name.asString().toLowerCase(Locale.ROOT)));
        String sent = String.join(
                "",
                Stream.of(fields)
                        .filter(field -> allowed.contains(
                                field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT)))
                        .map(field -> field + "\r\n")
                        .toList());
        try (RawClient client = new RawClient(gateway.port())) {
            return client.send(method + " " + auth.path("http").path("path").asString() + path
                            + " HTTP/1.1\r\nHost: site.example\r\nContent-Length: 0\r\nX-Forwarded-For: 192.0.2.1\r\n"
                            + sent + "\r\n")
                    .read();
        }
    }

    @Test
    void admitsATokenOnce() throws IOException {
        try (AskedGateway gateway = gateway()) {
            RawClient.Response refused = ask(gateway, "GET", "/page");
            assertThat(refused.status()).isEqualTo(401);
            String token = AskedSite.token(refused);
            RawClient.Response admitted = ask(gateway, "POST", "/page?a=b", token);
            assertThat(admitted.status()).isEqualTo(200);
            assertThat(admitted.body()).isEmpty();
            assertThat(admitted.field("Postern-Admission")).isEqualTo("token");
            assertThat(auth.path("http").path("allowedResponseHeaders").toString())
                    .contains("Postern-Admission", "Postern-Agent", "X-Request-ID");
            assertThat(ask(gateway, "POST", "/page?a=b", token).status()).isEqualTo(401);
        }
    }

    @Test
    void waitsInTheRoom() throws IOException {
        String room = "rate-limits=[{name: site, fair-queue: {active-sessions: 1}}]";
        String route = "routes=[{path: /, upstream: none, token: off, rate-limit: site}]";
        try (AskedGateway gateway = gateway(room, route)) {
            assertThat(ask(gateway, "GET", "/page").status()).isEqualTo(200);
            RawClient.Response waiting = ask(gateway, "GET", "/page", "Accept: text/html", "Sec-Fetch-Mode: navigate");
            assertThat(waiting.status()).isEqualTo(429);
            assertThat(waiting.field("Content-Type")).startsWith("text/html");
            String ticket = AskedSite.cookies(waiting);
            assertThat(ask(gateway, "GET", "/page", ticket).field("Postern-Queue-Position"))
                    .isEqualTo("1");

            assertThat(rules.path(0)
                            .path("matches")
                            .path(0)
                            .path("path")
                            .path("value")
                            .asString())
                    .isEqualTo("/.postern/room/");
            try (RawClient client = new RawClient(gateway.port())) {
                assertThat(client.send(
                                        "GET /.postern/room/site HTTP/1.1\r\nHost: site.example\r\nX-Forwarded-For: 192.0.2.1\r\n"
                                                + "Accept: application/json\r\n" + ticket + "\r\n\r\n")
                                .read()
                                .body())
                        .contains("\"position\":1");
            }
        }
    }
}
