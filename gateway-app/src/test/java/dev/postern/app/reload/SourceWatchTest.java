package dev.postern.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceWatchTest {

    @TempDir
    private Path folder;

    private final SourceWatch watch = new SourceWatch();
    private SourceFiles read = SourceFiles.NONE;

    @BeforeEach
    void file() throws IOException {
        write("gateway.yaml", "limits: {}\n");
        load();
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private void load() throws IOException {
        read = new ConfigReader(Map.of(), List.of())
                .read(folder.resolve("gateway.yaml"))
                .sources();
    }

    private boolean look() {
        return watch.look(read);
    }

    @Test
    void readsAChangedFileOnceItsContentIsSteady() throws IOException {
        assertThat(look()).isFalse();
        assertThat(look()).isFalse();
        write("gateway.yaml", "lim");
        assertThat(look()).isFalse();
        write("gateway.yaml", "limits: {pipeline-depth: 3}\n");
        assertThat(look()).isFalse();
        assertThat(look()).isTrue();
        load();
        assertThat(look()).isFalse();
    }

    @Test
    void readsContentThatCannotBeAppliedOnce() throws IOException {
        write("gateway.yaml", "limits: [");
        assertThat(look()).isFalse();
        assertThat(look()).isTrue();
        assertThat(look()).isFalse();
        Files.delete(folder.resolve("gateway.yaml"));
        assertThat(look()).isFalse();
        assertThat(look()).isTrue();
        assertThat(look()).isFalse();
    }

    @Test
    void theContentThatIsInForceIsNotReadAgain() throws IOException {
        write("gateway.yaml", "limits: [");
        assertThat(look()).isFalse();
        write("gateway.yaml", "limits: {}\n");
        assertThat(look()).isFalse();
        assertThat(look()).isFalse();
    }

    /** As the kubelet updates a ConfigMap: the file is a link through a link, which is replaced. */
    @Test
    void followsTheLinksOfAConfigMap() throws IOException {
        Files.delete(folder.resolve("gateway.yaml"));
        for (String version : List.of("1", "2")) {
            Files.createDirectory(folder.resolve(version));
            write(version + "/gateway.yaml", "limits: {pipeline-depth: " + version + "}\n");
        }
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("1"));
        Files.createSymbolicLink(folder.resolve("gateway.yaml"), Path.of("..data/gateway.yaml"));
        load();
        assertThat(look()).isFalse();
        assertThat(look()).isFalse();

        Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("2"));
        Files.move(folder.resolve("..data_tmp"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(look()).isFalse();
        assertThat(look()).isTrue();
    }

    @Test
    void watchesTheFilesThatValuesReferTo() throws IOException {
        write("value", "a");
        write("gateway.yaml", "instance: {namespace: \"${file:value}\"}\nextensions: {folder: \"${file:absent}\"}\n");
        load();
        assertThat(look()).isFalse();
        assertThat(look()).isFalse();
        write("value", "b");
        assertThat(look()).isFalse();
        assertThat(look()).isTrue();
        load();
        write("absent", "x");
        assertThat(look()).isFalse();
        assertThat(look()).isTrue();
    }

    @Test
    void aConfigurationWithoutFilesIsNeverRead() {
        read = SourceFiles.NONE;
        assertThat(look()).isFalse();
        assertThat(look()).isFalse();
    }
}
