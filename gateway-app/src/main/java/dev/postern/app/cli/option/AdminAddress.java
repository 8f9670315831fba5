package dev.postern.app.cli.option;

import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.SiteClient;
import dev.postern.core.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Option;

/** Option for the admin address of a running gateway. */
public final class AdminAddress {

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "The gateway's admin address; default: ${DEFAULT-VALUE}.",
            defaultValue = "127.0.0.1:9180")
    private String address = "127.0.0.1:9180";

    /** Sends a GET request. Throws {@link IOException} if no gateway responds. */
    public ClientResponse get(String path) throws IOException, InterruptedException {
        HostPort endpoint = OptionParsers.read("--admin", address, HostPort::of);
        try {
            return new SiteClient().get(URI.create("http://" + endpoint + path), Map.of());
        } catch (IOException e) {
            throw new IOException(
                    "no gateway responds on " + endpoint + " (expected: the admin address of a running gateway)", e);
        }
    }
}
