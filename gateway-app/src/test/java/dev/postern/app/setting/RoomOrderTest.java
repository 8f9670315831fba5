package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys for the order of a room. */
class RoomOrderTest {

    /** Fixed, because it selects one of 64 buckets for each tenant without a weight: a random secret sometimes selects the same one twice. */
    private static final String SECRET = Base64.getEncoder().encodeToString(new byte[32]);

    @TempDir
    private Path folder;

    private static MemorySite room(String route, String queue, String... settings) {
        return MemorySite.with(
                List.of(
                        "routes=[{upstream: app, rate-limit: site, " + route + "}]",
                        "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {" + queue + "}}]"),
                settings);
    }

    private static String position(MemorySite site, String... fields) {
        return site.get("/", fields).field("Postern-Queue-Position");
    }

    @Test
    void tenantsTakeTurnsByTheirWeights() throws IOException {
        String ring = "secrets.ring-file=" + Files.writeString(folder.resolve("ring"), SECRET);
        String tenants = "active-sessions: 1, tenants: {by: \"header:X-Shop\", weights: {big: 3}}";
        try (MemorySite site = room("token: off", tenants, ring)) {
            site.get("/", "X-Shop: big");
            site.get("/", "X-Shop: big");
            for (int i = 1; i <= 4; i++) {
                assertThat(position(site, "X-Shop: big")).isEqualTo(Integer.toString(i));
            }
            assertThat(position(site, "X-Shop: small"))
                    .as("after a turn of the other tenant")
                    .isEqualTo("4");
        }
    }

    @Test
    void clientsWithATokenHaveTheirWeight() {
        assertThat(positionOfHolderAfterFive("holder-weight: 1")).isEqualTo("2");
        assertThat(positionOfHolderAfterFive("holder-weight: 100")).isEqualTo("1");
    }

    private static String positionOfHolderAfterFive(String key) {
        try (MemorySite site = room("token: optional", "active-sessions: 1, " + key, Site.issuer())) {
            assertThat(site.get("/").field("WWW-Authenticate"))
                    .as("the upstream's response")
                    .isEmpty();
            site.get("/");
            for (int i = 1; i <= 4; i++) {
                assertThat(position(site)).isEqualTo(Integer.toString(i));
            }
            String token = Site.MINT.response(site.get("/").field("WWW-Authenticate"));
            return position(site, "Authorization: " + token);
        }
    }
}
