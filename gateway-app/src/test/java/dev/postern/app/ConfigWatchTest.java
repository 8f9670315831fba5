package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatchTest {

    @TempDir
    private Path folder;

    @Test
    void reloadsOnlyWhereTheConfigurationAsksForIt() throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), "watch: true\n");
        SourceFiles read = new ConfigReader(Map.of(), List.of()).read(file).sources();
        AtomicBoolean wanted = new AtomicBoolean();
        AtomicInteger reloads = new AtomicInteger();
        try (ConfigWatch watch = new ConfigWatch(wanted::get, () -> read, reloads::incrementAndGet)) {
            Files.writeString(file, "watch: false\n");
            watch.look();
            watch.look();
            assertThat(reloads).hasValue(0);
            wanted.set(true);
            watch.look();
            watch.look();
            watch.look();
            assertThat(reloads).hasValue(1);
        }
    }

    @Test
    void aReloadThatFailsDoesNotEndTheWatch() throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), "a");
        SourceFiles read = new ConfigReader(Map.of(), List.of()).read(file).sources();
        AtomicInteger reloads = new AtomicInteger();
        Runnable failing = () -> {
            reloads.incrementAndGet();
            throw new IllegalStateException("planted");
        };
        try (ConfigWatch watch = new ConfigWatch(() -> true, () -> read, failing)) {
            for (String text : List.of("b", "c")) {
                Files.writeString(file, text);
                watch.look();
                watch.look();
            }
            assertThat(reloads).hasValue(2);
        }
    }
}
