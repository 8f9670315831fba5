package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RawClient;
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

/** Whoever may look at the admin address learns nothing that opens a door, and nothing of a person. */
class AdminSecretsIT {

    private static final String ADMIN_TOKEN = "a-token-for-the-admin-address";
    private static final String REDIS_PASSWORD = "a-password-for-redis";
    private static final String PERSON = "203.0.113.77";

    @TempDir
    private Path folder;

    @Test
    void noPageHoldsASecret() throws IOException {
        String ring = KeyRing.newLine();
        Files.writeString(folder.resolve("ring"), ring + "\n");
        Files.writeString(folder.resolve("admin-token"), ADMIN_TOKEN + "\n");
        int port = ServerProcess.freePort();
        try (ServerProcess redis = new ServerProcess(
                "redis-server",
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
                List<String> secrets = new ArrayList<>(List.of(ring, ADMIN_TOKEN, REDIS_PASSWORD, PERSON));
                Awaitility.await().until(() -> site.admin("/readyz").status() == 200);
                secrets.addAll(visits(site));

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

    /** A person who pays, comes back, pays with the same token again, and meets a site that is down; returns what only they may know. */
    private static List<String> visits(Site site) {
        String token = site.token();
        String[] fields = {"Authorization: " + token, "X-Forwarded-For: " + PERSON, "Referer: https://a.example/diary"};
        RawClient.Response paid = site.get("/secret-path?pin=4711", fields);
        assertThat(paid.status()).isEqualTo(200);
        String session = Site.cookie(paid);
        assertThat(site.get("/", fields).status()).isEqualTo(401);
        site.origin.close();
        // Its last kept-alive connection may still response while it closes; and the response is out before its capsule
        // is
        // kept.
        Awaitility.await()
                .until(() -> site.get("/again?pin=4711", "Cookie: " + session, fields[1])
                                        .status()
                                == 502
                        && site.admin("/failures").body().contains("/again"));
        String bare = token.replaceAll("^.*token=\"|\".*$", "");
        return List.of(
                bare.substring(0, 60),
                bare.substring(bare.length() - 60),
                session.replaceAll("^[^=]*=", ""),
                "pin=4711",
                "/diary");
    }

    /** All that the address offers, by its own account. */
    private static Map<String, String> pages(Site site) {
        String all = site.admin("/nothing").body();
        Map<String, String> pages = new TreeMap<>();
        for (String path : all.substring("There are: ".length()).strip().split(" ")) {
            pages.put(
                    path,
                    path.equals("/live")
                            ? firstFrame(site)
                            : site.admin(path + "?seconds=1").body());
        }
        return pages;
    }

    private static String firstFrame(Site site) {
        try (RawClient viewer = new RawClient(site.gateway().admin().getPort())) {
            viewer.send("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n");
            StringBuilder frame = new StringBuilder();
            while (!frame.toString().contains("\"context\"")
                    || !frame.toString().endsWith("\n\n")) {
                frame.append(viewer.readBytes(1));
            }
            return frame.toString();
        }
    }
}
