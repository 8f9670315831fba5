package dev.postern.app.cli.option;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that select the configuration. */
public final class ConfigSource {

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file; default: ${DEFAULT-VALUE}.",
            defaultValue = "gateway.yaml")
    private Path file = Path.of("gateway.yaml");

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Overrides a key, such as limits.pipeline-depth=4; may be repeated. POSTERN_... variables"
                    + " override the file too.")
    private List<String> flags = new ArrayList<>();

    /** Reads the configuration. Throws {@link IOException} when the file cannot be read. */
    public LoadedConfig load() throws IOException {
        for (String flag : flags) {
            if (flag.indexOf('=') <= 0) {
                // The rest is not shown: it may be a value, and the value a password.
                throw new WrongArgument(
                        "--set: " + flag.replaceFirst("[^A-Za-z0-9._-].*", "") + " (expected: KEY=VALUE)");
            }
        }
        return new ConfigReader(System.getenv(), flags).read(file);
    }

    /** Returns the name of the file. */
    public String name() {
        return file.toString();
    }
}
