package dev.postern.app.replica;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Configuration of two gateways that are replicas, and a client that gets tokens for them. */
final class Replicas {

    private static final TokenMint MINT = TokenMint.shared();

    private Replicas() {}

    /** Writes a ring file for all replicas of a test. */
    static Path ring(Path folder) throws IOException {
        return Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
    }

    /**
     * Returns the configuration of one of {@code replicas} gateways.
     *
     * @param ledger {@code privacy-pass.ledger}, in braces
     */
    static String yaml(int replicas, Path ring, String origin, String ledger) {
        return "instance: {namespace: race, replicas: " + replicas + "}\n"
                + "secrets: {ring-file: \"" + ring + "\"}\n"
                + "lifecycle: {drain-delay: 0s, drain-timeout: 5s}\n"
                // Other builds may share this machine, and refusals because of load are not the subject of these tests.
                + "overload: {loop-lag: {shed-above: 0}}\n"
                + "privacy-pass:\n"
                + "  origin-names: [gateway.example]\n"
                + "  issuers:\n"
                + "    - {name: issuer.example, public-keys: [\"" + MINT.publicKey() + "\"]}\n"
                + "  ledger: " + ledger + "\n"
                + "upstreams:\n"
                + "  - {name: app, endpoints: [\"" + origin + "\"], congestion-control: reno}\n"
                + "routes:\n"
                + "  - {upstream: app, token: required}\n";
    }

    /** Creates a token for the current challenge of the gateway at this port, as the value of an Authorization field. */
    static String freshToken(int port) {
        try (RawClient client = new RawClient(port)) {
            RawClient.Response refused = client.get("/");
            if (refused.status() != 401) {
                throw new IllegalStateException("status " + refused.status() + " (expected: a challenge)");
            }
            return MINT.response(refused.field("WWW-Authenticate"));
        }
    }

    /** Returns a GET with the token. */
    static String redeeming(String token) {
        return redeeming("/", token);
    }

    static String redeeming(String path, String token) {
        return "GET " + path + " HTTP/1.1\r\nHost: site.example\r\nAuthorization: " + token + "\r\n\r\n";
    }

    /** Redeems the token at the gateway at this port; returns the status. */
    static int redeem(int port, String token) {
        try (RawClient client = new RawClient(port)) {
            return client.send(redeeming(token)).read().status();
        }
    }
}
