package dev.postern.app.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectorTest {

    @TempDir
    private Path folder;

    private Map<String, String> read(String text) throws IOException {
        return Collector.fields(Files.writeString(folder.resolve("fields"), text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://collector:4318/v1/traces", "https://[2001:db8::1]/", "HTTP://collector"})
    void acceptsHttpUrls(String text) {
        assertThat(Collector.uri(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "collector:4318",
                "grpc://collector:4317",
                "http://",
                "http:/v1/traces",
                "http://me:secret@collector/",
                "http://collector/#there",
                "http://collector/?key=secret",
                "http://a b/"
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Collector.uri(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: http:// or https://")
                .hasMessageNotContaining("secret");
    }

    @Test
    void readsOneFieldPerLine() throws IOException {
        assertThat(read("Authorization: Bearer a:b\n\n  X-Tenant :  one \n"))
                .containsExactlyInAnyOrderEntriesOf(Map.of("Authorization", "Bearer a:b", "X-Tenant", "one"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "geheim",
                ": geheim",
                "Authorization:",
                "Author ization: geheim",
                "Host: geheim",
                "Content-Length: 7",
                "A: geheim\nA: geheim",
                "A: gehe\u0001im"
            })
    void reportsTheNumberOfAnInvalidLineOnly(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line ")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void doesNotPrintFields() {
        Collector collector =
                new Collector(Collector.uri("http://collector/"), Map.of("Authorization", "geheim"), Duration.ZERO);

        assertThat(collector.toString()).doesNotContain("geheim");
    }
}
