package dev.postern.app.cli.init;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.crypto.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Files of a first configuration: the configuration itself, and its key ring unless one is there. No file is overwritten. */
public final class FirstFiles {

    /** The group may read the ring, such as that of the user of the service. */
    private static final Set<PosixFilePermission> RING_MODE = PosixFilePermissions.fromString("rw-r-----");

    private final Path configuration;
    private final Path ring;
    private final List<Path> written = new ArrayList<>();

    public FirstFiles(Path configuration) {
        this.configuration = configuration;
        this.ring = configuration.resolveSibling(FirstConfiguration.RING);
    }

    /** Writes the files by the answers and returns the configuration as read from them; if it has problems, no file stays. */
    public LoadedConfig write(Interview interview) throws IOException {
        Answers answers = interview.answers();
        boolean good = false;
        try {
            if (!Files.exists(ring)) {
                Files.createFile(ring, PosixFilePermissions.asFileAttribute(RING_MODE));
                written.add(ring);
                Files.writeString(ring, KeyRing.newLine() + "\n");
            }
            String text = new FirstConfiguration(answers).text();
            Files.writeString(configuration, text, StandardOpenOption.CREATE_NEW);
            written.add(0, configuration);
            LoadedConfig config = new ConfigReader(Map.of(), List.of()).read(configuration);
            good = config.good();
            return config;
        } catch (IOException e) {
            throw new IOException(configuration + " (expected: a new file in a folder that can be written)", e);
        } finally {
            if (!good) {
                for (Path file : written) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Returns the new files. */
    public List<Path> written() {
        return List.copyOf(written);
    }
}
