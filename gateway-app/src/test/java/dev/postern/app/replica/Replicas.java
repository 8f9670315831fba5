package dev.postern.app.replica;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What two gateways need to be replicas of each other, and a client that gets tokens for them. */
final class Replicas {

    private static final TokenMint MINT = TokenMint.shared();

    private Replicas() {}

    /** A ring file for all replicas of a test. */
    static Path ring(Path folder) throws IOException {
        return Files.writeString(folder.resolve("ring"), KeyRing.newLine() + "\n");
    }

    /**
     * The configuration of one of {@code replicas} gateways.
     *
     * @param ledger {@code privacy-pass.ledger}, in braces
     */
    static String yaml(int replicas, Path ring, String origin, String ledger) {
        return "instance: {namespace: race, replicas: " + replicas + "}\n"
                + "secrets: {ring-file: \"" + ring + "\"}\n"
                + "lifecycle: {drain-delay: 0s, drain-timeout: 5s}\n"
                // Other builds may share this machine, and who is refused for that alone says nothing of tokens.
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

    /** A token for the challenge that the gateway at this port gives now, as the value of an Authorization field. */
    static String freshToken(int port) {
        try (RawClient client = new RawClient(port)) {
            RawClient.Response refused = client.get("/");
            if (refused.status() != 401) {
                throw new IllegalStateException("status " + refused.status() + " (expected: a challenge)");
            }
            return MINT.response(refused.field("WWW-Authenticate"));
        }
    }

    /** A GET that carries the token. */
    static String redeeming(String token) {
        return redeeming("/", token);
    }

    static String redeeming(String path, String token) {
        return "GET " + path + " HTTP/1.1\r\nHost: site.example\r\nAuthorization: " + token + "\r\n\r\n";
    }

    /** The status that the gateway at this port gives to the token. */
    static int redeem(int port, String token) {
        try (RawClient client = new RawClient(port)) {
            return client.send(redeeming(token)).read().status();
        }
    }
}
