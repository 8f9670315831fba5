package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.HostPort;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.redis.RedisTarget;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestRedis;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that what Lettuce asks for on its event loops was read before. */
class LettuceTargetTest {

    private static final String OLD = "redis://u:old@h";

    @TempDir
    private Path folder;

    private static RedisCredentials asked(LettuceTarget lettuce) {
        return Objects.requireNonNull(
                lettuce.uri().getCredentialsProvider().resolveCredentials().block());
    }

    @Test
    void theLoginIsTheOneThatWasReadBeforeTheConnection() throws IOException {
        Path file = Files.writeString(folder.resolve("uri"), OLD);
        RedisTarget target = new RedisTarget(TestRedis.of(OLD).with(OLD, file.toString()));
        LettuceTarget lettuce = LettuceTarget.of(target);

        Files.writeString(file, "redis://u:new@h");
        assertThat(asked(lettuce).getPassword()).containsExactly("old".toCharArray());
        target.read();
        assertThat(asked(lettuce).getUsername()).isEqualTo("u");
        assertThat(asked(lettuce).getPassword()).containsExactly("new".toCharArray());
    }

    @Test
    void theCertificatesAreThoseThatWereReadBeforeTheConnection() throws IOException, GeneralSecurityException {
        TestCertificate own = TestCertificate.ec(folder, "own", "dns:redis.example");
        RedisSettings settings = TestRedis.of(
                "rediss://h",
                Map.of(
                        "tls",
                        new RedisSettings.Tls(
                                own.certificate().toString(),
                                own.certificate().toString(),
                                own.key().toString())));
        LettuceTarget lettuce = LettuceTarget.of(new RedisTarget(settings));

        Files.delete(own.certificate());
        Files.delete(own.key());
        assertThat(lettuce.ssl().createSslContextBuilder().build().isClient()).isTrue();
    }

    @Test
    void theSentinelsMayHaveAddressesOfBothFamilies() {
        RedisSettings settings = TestRedis.of(
                "rediss://u:p@h:1/3?timeout=7s",
                Map.of(
                        "sentinel",
                        new RedisSettings.Sentinel(
                                "main", List.of(HostPort.of("127.0.0.1:26379"), HostPort.of("[::1]:26380")))));
        RedisURI uri = LettuceTarget.of(new RedisTarget(settings)).uri();

        assertThat(uri.getHost()).isNull();
        assertThat(uri.getSentinelMasterId()).isEqualTo("main");
        assertThat(uri.getSentinels()).extracting(RedisURI::getHost).containsExactly("127.0.0.1", "::1");
        assertThat(uri.getSentinels()).extracting(RedisURI::getPort).containsExactly(26379, 26380);
        assertThat(uri.isSsl()).isTrue();
        assertThat(uri.getDatabase()).isEqualTo(3);
        assertThat(uri.getTimeout()).isEqualTo(Duration.ofSeconds(7));
    }
}
