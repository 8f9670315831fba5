package dev.postern.auth.voprf;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import org.bouncycastle.math.ec.ECPoint;

/** VOPRF functions that both sides of OPRF(P-384, SHA-384) in verifiable mode share (RFC 9497 sections 3.3.2 and 4.4). */
final class Voprf {

    /** Value of contextString for mode 1. */
    static final String CONTEXT = "OPRFV1-\u0001-P384-SHA384";

    static final String GROUP_TAG = "HashToGroup-" + CONTEXT;
    static final String SCALAR_TAG = "HashToScalar-" + CONTEXT;

    private Voprf() {}

    /** Returns the element of an input. No input is known whose element is the identity; callers reject it anyway. */
    static ECPoint element(byte[] input) {
        return HashToCurve.element(input, GROUP_TAG);
    }

    /** Returns the output of the function, 48 bytes: hash of input and unblinded evaluated element. */
    static byte[] finish(byte[] input, ECPoint issued) {
        MessageDigest hash = HashToCurve.sha384();
        hash.update(Dleq.framed(input, P384.encode(issued)));
        hash.update("Finalize".getBytes(US_ASCII));
        return hash.digest();
    }
}
