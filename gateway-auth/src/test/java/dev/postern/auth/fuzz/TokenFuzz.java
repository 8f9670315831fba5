package dev.postern.auth.fuzz;

import dev.postern.auth.token.Token;
import java.util.Arrays;

/** Fuzzes the parser of Token (RFC 9577 section 2.2.1): it returns exactly one token or none, and each field from its position. */
public final class TokenFuzz {

    private TokenFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input is a token. */
    static boolean accepts(byte[] input) {
        Token token = Token.parse(input.clone());
        FuzzCheck.hold((token != null) == (input.length == length(input)), "a token if type and length say so");
        if (token == null) {
            return false;
        }
        int authenticatorAt = 2 + 32 + 32 + 32;
        byte[] nonce = Arrays.copyOfRange(input, 2, 34);
        byte[] keyId = Arrays.copyOfRange(input, 66, authenticatorAt);
        byte[] signed = Arrays.copyOf(input, authenticatorAt);
        byte[] authenticator = Arrays.copyOfRange(input, authenticatorAt, input.length);
        FuzzCheck.hold(Arrays.equals(token.bytes(), input), "the bytes there and back");
        FuzzCheck.hold(
                Arrays.equals(token.challengeDigest().toArray(), Arrays.copyOfRange(input, 34, 66)),
                "the digest of the challenge");
        FuzzCheck.hold(Arrays.equals(token.keyId().toArray(), keyId), "the key id");
        FuzzCheck.hold(Arrays.equals(Token.of(signed, authenticator).bytes(), input), "the parts form the token");
        FuzzCheck.hold(
                Arrays.equals(Token.signedPart(token.type(), nonce, token.challengeDigest(), token.keyId()), signed),
                "the signed part made of its parts");
        byte[] identity = token.identity();
        FuzzCheck.hold(identity.length == 64, "an identity of 64 bytes");
        FuzzCheck.hold(Arrays.equals(Arrays.copyOf(identity, 32), keyId), "an identity that begins with the key id");
        FuzzCheck.hold(
                Arrays.equals(Arrays.copyOfRange(identity, 32, 64), nonce), "an identity that ends with the nonce");
        return true;
    }

    /** Returns the length of a token of the type in its first two bytes; -1 for an unknown type. */
    static int length(byte[] token) {
        if (token.length < 2 || token[0] != 0) {
            return -1;
        }
        return switch (token[1]) {
            case 1 -> 146;
            case 2 -> 354;
            default -> -1;
        };
    }
}
