package dev.postern.core.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.config.HostPort;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.LogLines;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestRedis;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisTargetTest {

    private static final String OLD = "redis://u:old@h:1";

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("uri"), OLD + "\n");
    }

    private RedisTarget target() {
        return new RedisTarget(TestRedis.of(OLD).with(OLD, file.toString()));
    }

    @Test
    void takesAChangedPasswordForTheNextConnectionAndNotBefore() throws IOException {
        RedisTarget target = target();
        Files.writeString(file, "redis://other:new@h:1\n");
        assertThat(target.login()).as("no file is read").isEqualTo(RedisUri.of(OLD));

        target.read();
        assertThat(target.login()).isEqualTo(RedisUri.of("redis://other:new@h:1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "redis://u:%4",
                "redis://u:%@h:1",
                "redis://u:ne", // the file is being written
                "redis://u:new@h",
                "redis://u:new@other:1",
                "rediss://u:new@h:1",
                "redis://u:new@h:1/2"
            })
    void keepsTheLoginWhileTheFileHasNoUsableUri(String content) throws IOException {
        try (LogLines log = new LogLines(RedisTarget.class)) {
            RedisTarget target = target();
            Files.writeString(file, content);
            target.read();
            target.read();

            assertThat(target.login()).isEqualTo(RedisUri.of(OLD));
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("redis.uri-file: " + file + " (expected: ")
                    .endsWith("; user and password stay as they were")
                    .doesNotContain("new")
                    .doesNotContain("old");
        }
    }

    @Test
    void keepsTheLoginWhileTheFileIsAway() throws IOException {
        try (LogLines log = new LogLines(RedisTarget.class)) {
            RedisTarget target = target();
            Files.delete(file);
            target.read();
            target.read();
            assertThat(target.login()).isEqualTo(RedisUri.of(OLD));
            write();
            target.read();
            Files.delete(file);
            target.read();

            assertThat(log.lines())
                    .as("once each time")
                    .hasSize(2)
                    .allMatch(line -> line.equals("redis.uri-file: " + file
                            + " (expected: a file that can be read); user and password stay as they were"));
        }
    }

    @Test
    void hasTheLoginOfTheSettingsWithoutAFile() {
        RedisTarget target = new RedisTarget(TestRedis.of("redis://:secret@h"));
        target.read();

        assertThat(target.login().user()).isNull();
        assertThat(target.login().password()).isEqualTo("secret");
        assertThat(target.uri()).isEqualTo("redis://h");
        assertThat(target.name()).isEqualTo("h:6379");
    }

    @Test
    void asksTheSentinelsWithoutThePassword() {
        RedisTarget target = new RedisTarget(TestRedis.of(
                "redis://:secret@h/3",
                Map.of("sentinel", new RedisSettings.Sentinel("main", List.of(HostPort.of("127.0.0.1:26379"))))));

        assertThat(target.uri()).isEqualTo("redis://h/3");
        assertThat(target.sentinel()).isNotNull();
        assertThat(target.name()).isEqualTo("master main");
    }

    private static boolean usable(RedisTarget target) throws SSLException {
        SslContextBuilder context = SslContextBuilder.forClient();
        target.applyCertificates(context);
        return context.build().isClient();
    }

    private static RedisTarget secure(@Nullable TestCertificate authority, @Nullable TestCertificate own) {
        return new RedisTarget(TestRedis.of(
                "rediss://h",
                Map.of(
                        "tls",
                        new RedisSettings.Tls(
                                authority == null
                                        ? null
                                        : authority.certificate().toString(),
                                own == null ? null : own.certificate().toString(),
                                own == null ? null : own.key().toString()))));
    }

    @Test
    void keepsTheCertificatesWhileTheirFilesCannotBeUsed() throws IOException {
        TestCertificate own = TestCertificate.ec(folder, "own", "dns:redis.example");
        TestCertificate next = TestCertificate.ec(folder, "next", "dns:redis.example");
        try (LogLines log = new LogLines(RedisTarget.class)) {
            RedisTarget target = secure(own, own);
            Files.copy(next.certificate(), own.certificate(), StandardCopyOption.REPLACE_EXISTING);
            target.read();
            target.read();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("redis.tls: " + own.certificate() + " and " + own.key() + " (expected: the key of")
                    .endsWith("; the certificates stay as they were");
            assertThat(usable(target)).isTrue();

            Files.delete(own.certificate());
            target.read();
            assertThat(log.lines()).hasSize(2);
            assertThat(usable(target)).isTrue();

            next.replace(own);
            target.read();
            assertThat(log.lines()).hasSize(2);
            assertThat(usable(target)).isTrue();
        }
    }

    @Test
    void readsTheAuthoritiesOfJavaWithoutAFile() throws SSLException {
        assertThat(usable(secure(null, null))).isTrue();
        assertThat(usable(new RedisTarget(TestRedis.of("rediss://h")))).isTrue();
    }

    @Test
    void refusesToStartWithoutTheFiles() throws IOException {
        TestCertificate own = TestCertificate.ec(folder, "own", "dns:redis.example");
        Files.delete(own.key());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> secure(own, own))
                .withMessage("redis.tls: " + own.key() + " (expected: a file that can be read)");
    }
}
