package dev.postern.core.http1;

import dev.postern.core.fuzz.Must;
import java.util.List;

/**
 * Differences between our reading of a connection's bytes and that of Netty's decoder, which others build gateways upon. Where they differ, ours
 * refuses; or it is one of {@link Explained}.
 */
public final class DecoderDifferenceFuzz {

    private DecoderDifferenceFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        accepts(input);
    }

    /** Checks what must hold; says whether both found a request. */
    public static boolean accepts(byte[] input) {
        List<Difference> differences = Difference.between(input);
        for (Difference difference : differences) {
            Must.hold(Explained.why(difference) != null, "nothing unexplained: " + difference);
        }
        return !ReadRequest.ours(input).requests().isEmpty();
    }
}
