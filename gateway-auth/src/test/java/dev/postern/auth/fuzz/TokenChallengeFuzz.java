package dev.postern.auth.fuzz;

import dev.postern.auth.token.TokenChallenge;
import java.util.Arrays;

/** The TokenChallenge structure (RFC 9577 section 2.1.1): one encoding for one meaning, else digests differ. */
public final class TokenChallengeFuzz {

    private TokenChallengeFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        TokenChallenge challenge = TokenChallenge.decode(input);
        if (challenge != null) {
            Must.hold(Arrays.equals(challenge.encode(), input), "the bytes there and back");
            Must.hold(challenge.digest().equals(TokenChallenge.sha256(input)), "the digest of those bytes");
        }
    }
}
