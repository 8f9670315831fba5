package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import java.util.Objects;

/** A token key of type 1 (RFC 9578 section 5.5): one compressed point of the curve or none. */
public final class VoprfKeyFuzz {

    private static final TokenType VOPRF = Objects.requireNonNull(TokenType.of(1), "VOPRF");

    private VoprfKeyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        IssuerKey key;
        try {
            key = IssuerKey.read(VOPRF, input);
        } catch (IllegalArgumentException e) {
            Must.hold(
                    e.getMessage() != null && e.getMessage().contains("expected: "),
                    "a reason that says what is expected");
            return;
        }
        Must.hold(input.length == 49 && (input[0] == 2 || input[0] == 3), "the compressed form");
        Must.hold(Arrays.equals(key.encoded(), input), "the bytes as published");
        Must.hold(key.id().equals(TokenChallenge.sha256(input)), "the id of those bytes");
        Must.hold(!key.verifiable(), "a key without its secret");
    }
}
