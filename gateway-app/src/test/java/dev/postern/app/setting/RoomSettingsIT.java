package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.DnsExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys of rate limits and rooms that need a name server or a Redis. */
class RoomSettingsIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final DnsExtension DNS = new DnsExtension("--host-record=crawl-1.search.example,127.0.0.1");

    private static final String ROUTE = "routes=[{upstream: app, token: off, rate-limit: site}]";

    @TempDir
    private Path folder;

    /** Uses the one request of the base rate, and then the one active session. */
    private static void occupy(Site site) {
        assertThat(site.get("/").status()).isEqualTo(200);
        assertThat(site.get("/").status()).isEqualTo(200);
    }

    @Test
    void crawlersWithAVerifiedNameDoNotWait() {
        String agent = "User-Agent: Mozilla/5.0 (compatible; SearchBot/2.1)";
        try (Site site = Site.with(
                ROUTE,
                "rate-limits=[{name: site, rate: 1/h, burst: 0, fair-queue: {active-sessions: 1, crawlers: {searchbot: [search.example]}}}]",
                "transport.name-servers=[\"" + DNS.server().address() + "\"]")) {
            occupy(site);
            assertThat(site.get("/").status()).isEqualTo(503);
            // A lookup of a name that takes too long is repeated after some seconds.
            Awaitility.await().until(() -> site.get("/", agent).status() == 200);
        }
    }

    private static String keys() {
        try (RawClient redis = new RawClient(REDIS.server().port())) {
            return redis.send("KEYS *by-file*\r\n").readBytes(4);
        }
    }

    @Test
    void redisAddressMayComeFromAFile() throws IOException {
        Files.writeString(folder.resolve("redis"), "redis://" + REDIS.address() + "\n");
        try (Site site = Site.in(
                folder,
                ROUTE,
                "instance.namespace=by-file",
                "redis.uri-file=redis",
                "redis.deadline=5s",
                "rate-limits=[{name: site, rate: 10/m, burst: 100, store: redis}]")) {
            // Until the connection is established, a replica decides by its own share.
            Awaitility.await().until(() -> site.get("/").status() == 200 && keys().equals("*1\r\n"));
        }
    }
}
