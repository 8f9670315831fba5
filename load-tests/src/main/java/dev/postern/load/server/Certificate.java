package dev.postern.load.server;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;

/** Certificate for a run, self-signed. */
public record Certificate(Path chain, Path key) {
    /** Returns the certificate of a run's folder; openssl creates it at the first call, with a key on the curve P-256. */
    public static Certificate in(RunFolder folder) {
        Path chain = folder.file("tls.crt");
        Path key = folder.file("tls.key");
        if (Files.exists(chain)) {
            return new Certificate(chain, key);
        }
        Command.output(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -out",
                chain,
                "-keyout",
                key);
        return new Certificate(chain, key);
    }

    /** Returns the listener's key {@code tls} in a configuration of the gateway. */
    public String yaml() {
        return "tls: {certificates: [{certificate-file: \"%s\", private-key-file: \"%s\"}]}".formatted(chain, key);
    }

    /** Writes chain and key into one file, as HAProxy reads them. */
    public Path together(RunFolder folder) {
        return Unchecked.get(() -> folder.write("tls.pem", Files.readString(chain) + Files.readString(key)));
    }
}
