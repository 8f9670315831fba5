package dev.postern.core.capsule;

import dev.postern.core.fuzz.FuzzCheck;
import dev.postern.core.fuzz.Splits;
import java.util.List;

/**
 * Fuzzes the decoder of capsules (RFC 9297 section 3.2). The result does not depend on how the bytes are split, and equals the result of the
 * grammar.
 */
public final class CapsulesFuzz {

    private CapsulesFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether the input is a complete, well-formed stream. */
    public static boolean accepts(byte[] input) {
        StrictCapsules expected = StrictCapsules.read(input);
        FuzzCheck.equal(DecodedCapsules.of(List.of(input)), expected, "the result of the grammar");
        FuzzCheck.equal(DecodedCapsules.of(Splits.of(input)), expected, "the same result for split bytes");
        return expected.complete() && !expected.malformed();
    }
}
