package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.TokenType;

/**
 * Verifier of up to {@link #MAX} signatures at once, each under its own key: RSASSA-PSS-VERIFY (RFC 8017 section 8.1.2), whose RSA
 * operations run in lanes. Not thread-safe: one for each event loop.
 */
public final class BatchVerifier {

    /** Maximum of tokens in one call. */
    public static final int MAX = RsaLanes.COUNT;

    private static final int SIGNED = TokenType.BLIND_RSA.signedLength();

    private final RsaLanes lanes;
    private final EmsaPss pss = new EmsaPss();
    private final byte[] encoded = new byte[RsaKey.LENGTH];

    BatchVerifier(RsaLanes lanes) {
        this.lanes = lanes;
    }

    /**
     * Verifies {@code tokens[0, count)}. Never throws because of a token.
     *
     * @return the set of valid tokens: bit {@code i} for {@code tokens[i]}
     */
    public int verify(SignedToken[] tokens, int count) {
        if (count > MAX) {
            throw new IllegalArgumentException("batch: " + count + " tokens (expected: " + MAX + " or less)");
        }
        int filled = 0;
        for (int lane = 0; lane < MAX; lane++) {
            if (lane < count && filled(lane, tokens[lane])) {
                filled |= 1 << lane;
            } else {
                lanes.empty(lane);
            }
        }
        int valid = filled == 0 ? 0 : filled & lanes.compute();
        for (int lane = 0; lane < count; lane++) {
            if ((valid & 1 << lane) != 0 && !encodes(lane, tokens[lane])) {
                valid &= ~(1 << lane);
            }
        }
        return valid;
    }

    /** Fills the lane with the token's signature; returns false for a signature that is no number below the modulus. */
    private boolean filled(int lane, SignedToken token) {
        byte[] bytes = token.token().bytes();
        if (bytes.length != SIGNED + RsaKey.LENGTH || !token.key().above(bytes, SIGNED)) {
            return false;
        }
        lanes.fill(lane, token.key(), bytes, SIGNED);
        return true;
    }

    private boolean encodes(int lane, SignedToken token) {
        lanes.result(lane, encoded);
        return pss.verify(token.token().bytes(), SIGNED, encoded);
    }
}
