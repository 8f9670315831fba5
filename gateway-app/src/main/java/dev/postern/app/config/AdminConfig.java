package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Key;
import dev.postern.core.config.Spelling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Admin address for operators: probes, metrics, hidden context, changes. */
public record AdminConfig(
        @Key(defaultValue = "127.0.0.1:9180", description = "Address to bind; port 0 takes a free port.")
        HostPort address,

        @Key(defaultValue = "null", description = "Second address, for probes only, without details.") @Nullable
        HostPort probesAddress,

        @Key(
                defaultValue = "null",
                file = FileKind.SECRET,
                description =
                        "File with the bearer token for changes, at least 16 characters, read at start. Without it"
                                + " changes are refused.")
        @Nullable
        String tokenFile,

        @Key(
                defaultValue = "null",
                file = FileKind.READABLE,
                description =
                        "Output of `postern context --json` of a good run. Its values become the wanted values; a tenth"
                                + " more processor time or heap per exchange is reported.")
        @Nullable
        String baselineFile,

        @Key(
                defaultValue = "[localhost]",
                description =
                        "Host names in requests to this address, without patterns and ports, against DNS rebinding;"
                                + " loopback literals are always allowed.")
        List<String> allowHosts,

        @Key(defaultValue = "[]", description = "Dependencies that must work for `/readyz` to succeed.")
        List<Requirement> readyRequires) {

    public AdminConfig {
        allowHosts = allowHosts.stream().map(Spelling::host).toList();
        readyRequires = List.copyOf(readyRequires);
        Checks.of()
                .each(
                        "allow-hosts",
                        allowHosts,
                        host -> Spelling.isHost(host) && !host.startsWith("*"),
                        "a host without a pattern and a port; write each by itself")
                .done();
    }

    /** Requirement of {@code /readyz}: a dependency that must work. */
    public enum Requirement {
        LEDGER,
        ROOMS,
        KEYS
    }
}
