package dev.postern.app.config;

import dev.postern.app.admin.AdminToken;
import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Key;
import dev.postern.core.config.Spelling;
import dev.postern.core.tls.ServerTls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Admin address for operators: probes, metrics, hidden context, changes. */
public record AdminConfig(
        @Key(
                defaultValue = "127.0.0.1:9180",
                description = "Address to bind; port 0 takes a free port.",
                restart = true)
        HostPort address,

        @Key(
                defaultValue = "null",
                description = "Second address, for probes only, without details and without TLS.",
                restart = true)
        @Nullable
        HostPort probesAddress,

        @Key(
                defaultValue = "null",
                file = FileKind.SECRET,
                description =
                        "File with a bearer token for changes, at least 16 characters. Without any token for changes they"
                                + " are refused.")
        @Nullable
        String tokenFile,

        @Key(
                defaultValue = "[]",
                description =
                        "Further tokens, whose names are in the [log of changes](admin.md#give-each-operator-a-token).")
        List<NamedToken> tokens,

        @Key(
                defaultValue = "null",
                file = FileKind.READABLE,
                description =
                        "Output of `postern context --json` of a good run. Its values become the wanted values; a tenth"
                                + " more processor time or heap per exchange is reported.",
                restart = true)
        @Nullable
        String baselineFile,

        @Key(
                defaultValue = "[localhost]",
                description =
                        "Host names in requests to this address, without patterns and ports, against DNS rebinding;"
                                + " loopback literals are always allowed.",
                restart = true)
        List<String> allowHosts,

        @Key(defaultValue = "[]", description = "Dependencies that must work for `/readyz` to succeed.", restart = true)
        List<Requirement> readyRequires,

        @Key(defaultValue = "null", description = "TLS of `address`, as of a listener.", restart = true)
        ServerTls.@Nullable Settings tls) {

    public AdminConfig {
        tokens = List.copyOf(tokens);
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

    /** Token of an operator. */
    public record NamedToken(
            @Key(example = "alice", description = "Name of its holder, for the log.")
            String name,

            @Key(
                    example = "alice.token",
                    file = FileKind.SECRET,
                    description = "File with the token, at least 16 characters.")
            String file,

            @Key(
                    defaultValue = "change",
                    description =
                            "`change` includes `read`. With a token for `read`, reading needs a token too, except for"
                                    + " probes.")
            AdminToken.Rights rights) {

        public NamedToken {
            Checks.of().name("name", name).done();
        }
    }

    /** Requirement of {@code /readyz}: a dependency that must work. */
    public enum Requirement {
        LEDGER,
        ROOMS,
        KEYS
    }
}
