package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Throws what a fuzzer reports as a finding. */
final class FuzzCheck {

    /** Longer than any reason of the gateway; a longer one contains text of the input. */
    private static final int LONGEST_REASON = 240;

    private FuzzCheck() {}

    static void hold(boolean condition, String subject) {
        if (!condition) {
            throw new AssertionError("does not hold: " + subject);
        }
    }

    /** Checks a reason for the log: one short line that names the expected value. */
    static void requireReason(@Nullable String reason) {
        hold(reason != null && reason.contains("(expected: "), "a reason that says what is expected");
        hold(reason != null && reason.length() <= LONGEST_REASON, "a short reason");
        hold(reason != null && reason.chars().allMatch(c -> c >= ' ' && c < 0x7f), "a reason in visible ASCII");
    }

    /** Reads a key and checks the invariants of all types; null when it is invalid. */
    static @Nullable IssuerKey readKey(TokenType type, byte[] encoded) {
        IssuerKey key;
        try {
            key = IssuerKey.read(type, encoded);
        } catch (IllegalArgumentException e) {
            requireReason(e.getMessage());
            return null;
        }
        hold(key.type().equals(type), "a key of the type that was asked for");
        hold(Arrays.equals(key.encoded(), encoded), "the bytes as published");
        hold(key.id().equals(TokenChallenge.sha256(encoded)), "the id of those bytes");
        return key;
    }
}
