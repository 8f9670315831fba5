package dev.postern.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.key.IssuerKeys;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.testing.TokenMint;
import dev.postern.auth.token.Base64Url;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthSettingsTest {

    private static final RsaKey KEY = TokenMint.shared().key();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a,b", "b\u00e9", "a\t"})
    void refusesNamesThatNoChallengeCanContain(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AuthSettings(
                        "default",
                        List.of(name),
                        "authorization",
                        Duration.ofMinutes(10),
                        Duration.ZERO,
                        List.of(),
                        AuthSettings.DEFAULT_TOKEN_TYPES))
                .withMessageContaining("origin-names: " + name + " (expected: ");
        assertThatIllegalArgumentException().isThrownBy(() -> IssuerSettings.of(name, URI.create("http://a/")));
    }

    @Test
    void refusesInvalidFieldNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AuthSettings(
                        "default",
                        List.of(),
                        "x token",
                        Duration.ofMinutes(10),
                        Duration.ZERO,
                        List.of(),
                        AuthSettings.DEFAULT_TOKEN_TYPES))
                .withMessageContaining("token-header: x token");
    }

    @Test
    void refusesIssuersWithoutKeys() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IssuerSettings(
                        "issuer.example", null, Duration.ofHours(1), Duration.ZERO, List.of(), List.of(), List.of()))
                .withMessageContaining("issuers.directory: none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IssuerSettings.of("issuer.example", URI.create("ftp://a/")));
    }

    @Test
    void refusesTheSameIssuerTwice() {
        IssuerSettings issuer = IssuerSettings.of("issuer.example", URI.create("https://a.example/"));

        assertThatIllegalArgumentException().isThrownBy(() -> AuthSettings.of(List.of(issuer, issuer)));
    }

    @Test
    void readsKeyFilesInEachForm(@TempDir Path directory) throws IOException {
        Path der = Files.write(directory.resolve("key.der"), KEY.encoded());
        Path text = Files.writeString(
                directory.resolve("key.txt"), TokenMint.shared().publicKey() + "\n");
        String pem = "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(KEY.encoded())
                + "\n-----END PUBLIC KEY-----\n";
        Path armoured = Files.writeString(directory.resolve("key.pem"), pem);

        for (Path file : List.of(der, text, armoured)) {
            try (IssuerKeys keys = open(file)) {
                assertThat(keys.table().knows(KEY.id())).isTrue();
            }
        }
    }

    @Test
    void namesAnInvalidKeyFile(@TempDir Path directory) throws IOException {
        Path bad = Files.writeString(directory.resolve("bad.txt"), "AAAA");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(bad))
                .withMessageContaining("bad.txt")
                .withMessageContaining("token-key");
        assertThatThrownBy(() -> open(directory.resolve("missing"))).hasMessageContaining("missing");
    }

    @Test
    void countsTheKeysOfTheNewestInstanceOnly(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("key.der"), KEY.encoded());
        IssuerKeys first = open(file, TokenMint.fresh().key());
        assertThat(registry.get("postern.issuer.keys").gauge().value()).isEqualTo(2);
        IssuerKeys second = open(file);
        first.close();

        assertThat(registry.get("postern.issuer.keys").gauge().value()).isEqualTo(1);
        second.close();
        assertThat(registry.find("postern.issuer.keys").gauge()).isNull();
    }

    private IssuerKeys open(Path file, RsaKey... more) {
        List<String> texts =
                Arrays.stream(more).map(k -> Base64Url.encode(k.encoded())).toList();
        IssuerSettings settings = new IssuerSettings(
                "issuer.example", null, Duration.ofHours(1), Duration.ZERO, texts, List.of(file), List.of());
        return IssuerKeys.open(List.of(settings), Duration.ZERO, registry, InstantSource.system());
    }
}
