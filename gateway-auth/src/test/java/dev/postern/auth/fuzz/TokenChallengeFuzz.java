package dev.postern.auth.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.token.TokenChallenge;
import java.util.Arrays;

/**
 * Fuzzes the parser of TokenChallenge (RFC 9577 section 2.1.1): a challenge is accepted exactly when its lengths are consistent and its names
 * are visible ASCII, and each value has one encoding, else digests would differ.
 */
public final class TokenChallengeFuzz {

    private TokenChallengeFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input is a challenge. */
    static boolean accepts(byte[] input) {
        TokenChallenge challenge = TokenChallenge.decode(input);
        int issuerLength = number(input, 2, 2);
        int contextAt = 4 + issuerLength;
        int contextLength = number(input, contextAt, 1);
        int originsAt = contextAt + 1 + contextLength + 2;
        int originsLength = number(input, originsAt - 2, 2);
        boolean valid = issuerLength > 0
                && (contextLength == 0 || contextLength == 32)
                && originsAt + originsLength == input.length
                && visible(input, 4, contextAt)
                && visible(input, originsAt, input.length);
        FuzzCheck.hold((challenge != null) == valid, "a challenge if its lengths add up");
        if (challenge == null) {
            return false;
        }
        FuzzCheck.hold(Arrays.equals(challenge.encode(), input), "the bytes there and back");
        FuzzCheck.hold(challenge.equals(TokenChallenge.decode(challenge.encode())), "the challenge there and back");
        FuzzCheck.hold(challenge.digest().equals(TokenChallenge.sha256(input)), "the digest of those bytes");
        FuzzCheck.hold(challenge.tokenType() == number(input, 0, 2), "a type of two bytes");
        FuzzCheck.hold(
                challenge.issuerName().equals(new String(input, 4, issuerLength, US_ASCII)), "the issuer's name");
        FuzzCheck.hold(
                Arrays.equals(
                        challenge.redemptionContext(),
                        Arrays.copyOfRange(input, contextAt + 1, contextAt + 1 + contextLength)),
                "the context");
        String origins = new String(input, originsAt, originsLength, US_ASCII);
        FuzzCheck.hold(String.join(",", challenge.origins()).equals(origins), "the origins in their order");
        FuzzCheck.hold(challenge.origins().stream().allMatch(challenge::names), "every origin named");
        FuzzCheck.hold(challenge.names("unknown name") == origins.isEmpty(), "any origin only where none is named");
        return true;
    }

    /** Reads a number of that many bytes; returns -100000 when they are missing, so that every check of a sum fails. */
    private static int number(byte[] bytes, int offset, int length) {
        if (offset < 0 || offset + length > bytes.length) {
            return -100_000;
        }
        int number = 0;
        for (int i = offset; i < offset + length; i++) {
            number = number << 8 | bytes[i] & 0xff;
        }
        return number;
    }

    private static boolean visible(byte[] bytes, int from, int end) {
        for (int i = from; i < end; i++) {
            if (bytes[i] < 0x21 || bytes[i] > 0x7e) {
                return false;
            }
        }
        return true;
    }
}
