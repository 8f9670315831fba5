package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.load.run.OtherInstallation.Addresses;
import dev.postern.load.run.OtherInstallation.Mint;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherInstallationTest {
    @TempDir
    private Path folder;

    @Test
    void keepsSchemeHostAndPort() {
        assertThat(at("https://gateway.example:8443/").url()).isEqualTo("https://gateway.example:8443");
        assertThat(at("https://gateway.example").tlsUrl()).isEqualTo("https://gateway.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway.example",
                "ftp://gateway.example",
                "http://gateway.example/page",
                "http://h/?q=1",
                "http:///"
            })
    void refusesOtherAddresses(String url) {
        assertThatThrownBy(() -> at(url)).hasMessageStartingWith("--url: " + url + " (expected: ");
    }

    @Test
    void refusesClearTextForTls() {
        assertThatThrownBy(() -> at("http://gateway.example").tlsUrl())
                .hasMessage("--url: http://gateway.example (expected: https, for this simulation)");
    }

    @Test
    void countsTokensOfFileBeforeTheRun() throws IOException {
        OtherInstallation installation = with(Files.writeString(folder.resolve("tokens"), "a\n\nb\n"));

        assertThat(installation.tokens(2)).isEqualTo(folder.resolve("tokens"));
        assertThatThrownBy(() -> installation.tokens(3)).hasMessageContaining(": 2 tokens (expected: at least 3");
    }

    @Test
    void namesFileThatIsMissing() {
        assertThatThrownBy(() -> with(folder.resolve("none")).tokens(1))
                .hasMessageContaining("none: not readable (expected: tokens from postern mint)");
    }

    private OtherInstallation at(String url) {
        return new OtherInstallation(
                RunFolder.at(folder), new Addresses(URI.create(url), null), new Mint("/", null, List.of()));
    }

    private OtherInstallation with(Path tokens) {
        return new OtherInstallation(
                RunFolder.at(folder),
                new Addresses(URI.create("http://gateway.example"), null),
                new Mint("/", tokens, List.of()));
    }
}
