package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no page of the admin address contains secrets or personal data. */
class AdminSecretsIT {

    private static final String ADMIN_TOKEN = "a-token-for-the-admin-address";
    private static final String REDIS_PASSWORD = "a-password-for-redis";
    private static final String CLIENT_ADDRESS = "203.0.113.77";
    private static final String FORWARDED = "X-Forwarded-For: " + CLIENT_ADDRESS;
    private static final int MAX_UNKNOWN = 20;

    @TempDir
    private Path folder;

    @Test
    void noPageContainsASecret() throws IOException {
        String ring = KeyRing.newLine();
        Files.writeString(folder.resolve("ring"), ring + "\n");
        Files.writeString(folder.resolve("admin-token"), ADMIN_TOKEN + "\n");
        int port = ServerProcess.freePort();
        try (ServerProcess redis = new ServerProcess(
                RedisExtension.program(),
                port,
                "--port",
                "{port}",
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--requirepass",
                REDIS_PASSWORD)) {
            redis.start();
            try (Site site = Site.in(
                    folder,
                    "secrets.ring-file=ring",
                    "admin.token-file=admin-token",
                    "redis.uri=redis://:" + REDIS_PASSWORD + "@127.0.0.1:" + port,
                    "privacy-pass.ledger.store=redis",
                    "privacy-pass.ledger.deadline=10s",
                    "listeners.web.trusted-proxies=[127.0.0.1]",
                    "routes=[{upstream: app, token: session}]",
                    Site.issuer())) {
                List<String> secrets = new ArrayList<>(List.of(ring, ADMIN_TOKEN, REDIS_PASSWORD, CLIENT_ADDRESS));
                // A challenge from before Redis' epoch marker was read would be refused later.
                Awaitility.await().until(() -> site.admin("/readyz").body().contains("verified, 0 replicas"));
                secrets.addAll(exchangeSecrets(site));

                Map<String, String> pages = pages(site);
                assertThat(pages.keySet())
                        .contains(
                                "/",
                                "/failures",
                                "/context",
                                "/flamegraph",
                                "/keys",
                                "/live",
                                "/metrics",
                                "/readyz",
                                "/rooms");
                assertThat(pages.get("/failures")).contains("\"/again\"");
                assertThat(pages.get("/readyz")).contains("127.0.0.1:" + port);
                pages.forEach((path, page) -> assertThat(secrets)
                        .allSatisfy(secret -> assertThat(page).as(path).doesNotContain(secret)));
            }
        }
    }

    /** Sends requests that pay, use the session, repeat the token and fail; returns the secrets in them. */
    private static List<String> exchangeSecrets(Site site) {
        String token = site.token();
        String[] fields = paying(token);
        RawClient.Response paid = site.get("/secret-path?pin=4711", fields);
        // Redis is slow beside other tests: a token with an unknown result is replaced.
        for (int i = 0; i < MAX_UNKNOWN && paid.status() == 503; i++) {
            token = site.token();
            fields = paying(token);
            paid = site.get("/secret-path?pin=4711", fields);
        }
        assertThat(paid.status()).isEqualTo(200);
        String session = Site.cookie(paid);
        assertThat(site.get("/", fields).status()).isEqualTo(401);
        site.origin.close();
        // The last kept-alive connection may still respond while it closes, and the failure is recorded after the
        // response.
        Awaitility.await()
                .until(() -> site.get("/again?pin=4711", "Cookie: " + session, FORWARDED)
                                        .status()
                                == 502
                        && site.admin("/failures").body().contains("/again"));
        String encoded = token.replaceAll("^.*token=\"|\".*$", "");
        return List.of(
                encoded.substring(0, 60),
                encoded.substring(encoded.length() - 60),
                session.replaceAll("^[^=]*=", ""),
                "pin=4711",
                "/diary");
    }

    private static String[] paying(String token) {
        return new String[] {"Authorization: " + token, FORWARDED, "Referer: https://a.example/diary"};
    }

    /** Returns the pages that the admin address lists, by path. */
    private static Map<String, String> pages(Site site) {
        String all = site.admin("/nothing").body();
        Map<String, String> pages = new TreeMap<>();
        for (String path : all.substring("There are: ".length()).strip().split(" ")) {
            pages.put(
                    path,
                    path.equals("/live")
                            ? firstFrame(site)
                            : path.equals("/flamegraph")
                                    ? flameGraph(site)
                                    : site.admin(path).body());
        }
        return pages;
    }

    private static String flameGraph(Site site) {
        try (RawClient client = new RawClient(site.gateway().admin().getPort())) {
            return client.send("POST /flamegraph?seconds=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read()
                    .body();
        }
    }

    private static String firstFrame(Site site) {
        try (RawClient viewer = new RawClient(site.gateway().admin().getPort())) {
            viewer.send("POST /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            StringBuilder frame = new StringBuilder();
            while (!frame.toString().contains("\"context\"")
                    || !frame.toString().endsWith("\n\n")) {
                frame.append(viewer.readBytes(1));
            }
            return frame.toString();
        }
    }
}
