package dev.postern.core.http1;

import dev.postern.core.fuzz.FuzzCheck;
import java.util.List;

/**
 * Compares the requests that the gateway reads from the bytes of a connection with those of Netty's decoder, on which other gateways are
 * built. Where the two differ, the gateway refuses, or the difference is one of {@link KnownDifference}.
 */
public final class DecoderDifferenceFuzz {

    private DecoderDifferenceFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks the invariants; returns whether both found a request. */
    public static boolean accepts(byte[] input) {
        List<DecoderDifference> differences = DecoderDifference.between(input);
        for (DecoderDifference difference : differences) {
            FuzzCheck.hold(KnownDifference.of(difference) != null, "nothing unexplained: " + difference);
        }
        return !ReadRequest.ours(input).requests().isEmpty();
    }
}
