package dev.postern.app.cli.option;

import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.SiteClient;
import dev.postern.app.client.Trust;
import dev.postern.core.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the admin address of a running gateway. */
public final class AdminAddress {

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "The gateway's admin address; default: ${DEFAULT-VALUE}.",
            defaultValue = "127.0.0.1:9180")
    private String address = "127.0.0.1:9180";

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Use TLS (admin.tls), and trust the certificates of this PEM file.")
    private @Nullable Path caFile;

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with a token of the admin address.")
    private @Nullable Path tokenFile;

    /** Sends a GET request. Throws {@link IOException} if no gateway responds. */
    public ClientResponse get(String path) throws IOException, InterruptedException {
        HostPort endpoint = OptionParsers.read("--admin", address, HostPort::of);
        Map<String, String> fields = fields();
        Path ca = caFile;
        SiteClient client = ca == null ? new SiteClient() : new SiteClient(Trust.in(ca), null, Map.of());
        try {
            return client.get(URI.create((ca == null ? "http://" : "https://") + endpoint + path), fields);
        } catch (IOException e) {
            String with = ca == null ? ", and --ca-file if it has admin.tls" : ", with admin.tls";
            throw new IOException(
                    "no gateway responds on " + endpoint + " (expected: the admin address of a running gateway" + with
                            + ")",
                    e);
        }
    }

    private Map<String, String> fields() {
        Path token = tokenFile;
        try {
            return token == null
                    ? Map.of()
                    : Map.of(
                            "Authorization", "Bearer " + Files.readString(token).strip());
        } catch (IOException e) {
            throw new WrongArgument("--token-file: " + token + " (expected: a file that can be read)");
        }
    }
}
