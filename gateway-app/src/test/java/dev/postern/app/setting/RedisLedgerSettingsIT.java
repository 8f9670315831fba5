package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
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

    @Test
    void aSentinelNamesTheMaster() throws IOException {
        int port = ServerProcess.freePort();
        Path file = Files.writeString(folder.resolve("sentinel.conf"), """
                port %d
                bind 127.0.0.1
                dir %s
                sentinel monitor main 127.0.0.1 %d 1
                """.formatted(
                        port, folder, REDIS.server().port()));
        try (ServerProcess sentinel =
                new ServerProcess(RedisExtension.program(), port, file.toString(), "--sentinel")) {
            sentinel.start();
            String page = sharing(
                    "redis.uri=redis://127.0.0.1:1",
                    "redis.sentinel={master: main, nodes: [\"127.0.0.1:1\", \"" + sentinel.address() + "\"]}");
            assertThat(page).contains("\"master main\" : \"verified");
        }
    }

    @Test
    void tlsHasAnOwnAuthorityAndACertificate() throws IOException {
        TestCertificate server = TestCertificate.ec(folder, "server", "ip:127.0.0.1");
        TestCertificate gateway = TestCertificate.ec(folder, "gateway", "dns:gateway.example");
        try (ServerProcess redis =
                tls(server, "--tls-ca-cert-file", gateway.certificate().toString())) {
            redis.start();
            sharing(
                    "redis.uri=rediss://" + redis.address(),
                    "redis.tls={ca-file: \"" + server.certificate() + "\", certificate-file: \"" + gateway.certificate()
                            + "\", private-key-file: \"" + gateway.key() + "\"}");
        }
    }

    @Test
    void sentinelsUseTlsIfTheUriDoes() throws IOException {
        TestCertificate certificate = TestCertificate.ec(folder, "all", "ip:127.0.0.1");
        try (ServerProcess redis = tls(certificate, "--tls-auth-clients", "no")) {
            redis.start();
            try (ServerProcess sentinel = tlsSentinel(certificate, redis)) {
                sentinel.start();
                sharing(
                        "redis.uri=rediss://127.0.0.1:1",
                        "redis.tls={ca-file: \"" + certificate.certificate() + "\"}",
                        "redis.sentinel={master: main, nodes: [\"" + sentinel.address() + "\"]}");
            }
        }
    }

    private ServerProcess tlsSentinel(TestCertificate certificate, ServerProcess redis) throws IOException {
        int port = ServerProcess.freePort();
        Path file = Files.writeString(folder.resolve("sentinel.conf"), """
                port 0
                tls-port %d
                tls-cert-file %s
                tls-key-file %s
                tls-ca-cert-file %s
                tls-auth-clients no
                tls-replication yes
                bind 127.0.0.1
                dir %s
                sentinel monitor main 127.0.0.1 %d 1
                """.formatted(
                port, certificate.certificate(), certificate.key(), certificate.certificate(), folder, redis.port()));
        return new ServerProcess("redis-server", port, file.toString(), "--sentinel");
    }

    /** Returns the redis-server of the system with TLS alone, since others may be built without it. */
    private static ServerProcess tls(TestCertificate certificate, String... options) {
        List<String> all = new ArrayList<>(List.of("--bind", "127.0.0.1", "--save", "", "--port", "0"));
        all.addAll(List.of("--tls-port", "{port}"));
        all.addAll(List.of("--tls-cert-file", certificate.certificate().toString()));
        all.addAll(List.of("--tls-key-file", certificate.key().toString()));
        all.addAll(List.of(options));
        return new ServerProcess("redis-server", ServerProcess.freePort(), all.toArray(String[]::new));
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
