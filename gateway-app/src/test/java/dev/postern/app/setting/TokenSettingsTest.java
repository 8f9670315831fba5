package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys below {@code privacy-pass}. */
class TokenSettingsTest {

    @TempDir
    private Path folder;

    @Test
    void clockSkewIsAtMostHalfAWindow() {
        assertThatThrownBy(() ->
                        MemorySite.requiringTokens("privacy-pass.challenge-window=60s", "privacy-pass.clock-skew=31s"))
                .hasStackTraceContaining("clock-skew");
    }

    @Test
    void keysComeFromFilesToo() throws IOException {
        Files.writeString(folder.resolve("issuer.key"), Site.MINT.publicKey());
        try (MemorySite site = MemorySite.in(
                folder,
                Site.TOKEN_REQUIRED,
                "privacy-pass.issuers=[{name: issuer.example, public-key-files: [issuer.key]}]")) {
            assertThat(site.redeem(site.token())).isEqualTo(200);
        }
    }

    @Test
    void typesWithoutAKeyAreRefused() {
        assertThatThrownBy(() -> MemorySite.requiringTokens("privacy-pass.token-types=[2, 1]"))
                .hasStackTraceContaining("an issuer with private-key-files");
        assertThatThrownBy(() -> MemorySite.requiringTokens("privacy-pass.token-types=[3]"))
                .hasStackTraceContaining("one of 1, 2");
        assertThatThrownBy(() -> MemorySite.requiringTokens("privacy-pass.token-types=[2, 2]"))
                .hasStackTraceContaining("each once");
    }
}
