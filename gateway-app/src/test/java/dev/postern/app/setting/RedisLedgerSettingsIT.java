package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code privacy-pass.ledger.store: redis} and the keys below {@code redis} that it reads. */
class RedisLedgerSettingsIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @TempDir
    private Path folder;

    @Test
    void twoGatewaysShareOneRedis() throws IOException {
        sharing("redis.uri=redis://" + REDIS.address());
    }

    @Test
    void theAddressMayComeFromAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("uri"), "redis://" + REDIS.address() + "\n");
        sharing("redis.uri-file=" + file);
    }

    @Test
    void twoGatewaysShareACluster() throws IOException {
        String masters = sharing("redis.uri=redis://" + CLUSTER.address(), "redis.cluster=true");
        assertThat(CLUSTER.servers()).allSatisfy(server -> assertThat(masters).contains(server.address()));
    }

    /** @return the readiness page of the first gateway */
    private String sharing(String... redis) throws IOException {
        Path ring = Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
        List<String> all = new ArrayList<>(List.of(redis));
        all.add("secrets.ring-file=" + ring);
        all.add("privacy-pass.ledger={store: redis, deadline: 10s}");
        String[] settings = all.toArray(String[]::new);
        try (Site one = Site.requiringTokens(settings);
                Site two = Site.requiringTokens(settings)) {
            Awaitility.await()
                    .until(() -> one.admin("/readyz").status() == 200
                            && two.admin("/readyz").status() == 200);
            for (int i = 0; i < 10; i++) {
                String spent = spentToken(i % 2 == 0 ? one : two);
                assertThat(knownStatus(one, spent)).isEqualTo(401);
                assertThat(knownStatus(two, spent)).isEqualTo(401);
            }
            return one.admin("/readyz").body();
        }
    }

    /** Returns a token that the gateway accepted. A busy machine may delay Redis, which leaves a token unknown; then another is spent. */
    private static String spentToken(Site site) {
        return Awaitility.await().until(site::token, token -> site.redeem(token) == 200);
    }

    /** Returns the status of a redemption when Redis responded in time. */
    private static int knownStatus(Site site, String token) {
        return Awaitility.await().until(() -> site.redeem(token), status -> status != 503);
    }
}
