package dev.postern.app.config;

import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The address for operators: probes, metrics, the hidden context. */
public record AdminConfig(
        @Key(or = "127.0.0.1:9180", says = "Where operators connect; port 0 takes a free one.")
        HostPort address,

        @Key(or = "null", says = "A second address with the probes alone, which say nothing but yes or no there.")
        @Nullable
        HostPort probesAddress,

        @Key(
                or = "null",
                says =
                        "File with the bearer token that allows changes, 16 characters at least; read at start. Without it nothing can be changed.")
        @Nullable
        String tokenFile,

        @Key(
                or = "null",
                says =
                        "File with what `postern context --json` printed of a run that was good. Then what that run had is what is wanted, and a"
                                + " tenth more processor time or heap for each exchange is named.")
        @Nullable
        String baselineFile,

        @Key(
                or = "[localhost]",
                says =
                        "Host names by which the admin address responses, so that no web page can reach it through a browser; literal"
                                + " loopback addresses always do.")
        List<String> allowHosts,

        @Key(
                or = "[]",
                says = "What must work besides the gateway itself for `/readyz` to say so: `ledger`, `rooms`, `keys`.")
        List<Requirement> readyRequires) {

    public AdminConfig {
        allowHosts = List.copyOf(allowHosts);
        readyRequires = List.copyOf(readyRequires);
    }

    /** A dependency that may take a gateway out of service. */
    public enum Requirement {
        LEDGER,
        ROOMS,
        KEYS
    }
}
