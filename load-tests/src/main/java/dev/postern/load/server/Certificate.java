package dev.postern.load.server;

import dev.postern.load.measure.Command;
import java.nio.file.Path;
import java.util.List;

/** Certificate for a run, self-signed. */
public record Certificate(Path chain, Path key) {
    /** Creates a certificate with openssl, with a key on an elliptic curve, as sites use today. */
    public static Certificate create(RunFolder folder) {
        Path chain = folder.file("tls.crt");
        Path key = folder.file("tls.key");
        Command.output(List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-keyout",
                key.toString(),
                "-out",
                chain.toString()));
        return new Certificate(chain, key);
    }
}
