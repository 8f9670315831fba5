package dev.postern.auth.fuzz;

import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;

/** The Token structure (RFC 9577 section 2.2.1): exactly one token or none. */
public final class TokenFuzz {

    private TokenFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Token token = Token.parse(input.clone());
        if (token != null) {
            TokenType type = token.type();
            Must.hold(input.length == type.tokenLength(), "the length of its type");
            byte[] signed = Arrays.copyOf(input, type.signedLength());
            byte[] authenticator = Arrays.copyOfRange(input, type.signedLength(), input.length);
            Must.hold(Arrays.equals(Token.of(signed, authenticator).bytes(), input), "the parts make the whole");
            Must.hold(token.identity().length == 64, "an identity of key id and nonce");
        }
    }
}
