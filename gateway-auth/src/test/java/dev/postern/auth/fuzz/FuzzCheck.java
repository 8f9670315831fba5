package dev.postern.auth.fuzz;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a fuzzer takes for a finding. */
final class FuzzCheck {

    /** Longer than any reason of ours; text from outside that gets into one shows by its length. */
    private static final int LONGEST_REASON = 240;

    private FuzzCheck() {}

    static void hold(boolean condition, String subject) {
        if (!condition) {
            throw new AssertionError("does not hold: " + subject);
        }
    }

    /** A reason goes to the log: one short line that says what was expected. */
    static void beReason(@Nullable String reason) {
        hold(reason != null && reason.contains("(expected: "), "a reason that says what is expected");
        hold(reason != null && reason.length() <= LONGEST_REASON, "a short reason");
        hold(reason != null && reason.chars().allMatch(c -> c >= ' ' && c < 0x7f), "a reason in visible ASCII");
    }

    /** What holds of keys of all types; null when it is none. */
    static @Nullable IssuerKey readKey(TokenType type, byte[] encoded) {
        IssuerKey key;
        try {
            key = IssuerKey.read(type, encoded);
        } catch (IllegalArgumentException e) {
            beReason(e.getMessage());
            return null;
        }
        hold(key.type().equals(type), "a key of the type that was asked for");
        hold(Arrays.equals(key.encoded(), encoded), "the bytes as published");
        hold(key.id().equals(TokenChallenge.sha256(encoded)), "the id of those bytes");
        return key;
    }
}
