package dev.postern.auth.verify;

import dev.postern.auth.token.Bytes32;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything one scope accepts and asks for during a stretch of time in which neither changes: then a token's challenge is judged by one
 * look-up of 32 bytes. Immutable.
 *
 * @param epoch of the ledger, to which all of it belongs
 * @param from when it begins to be right
 * @param to when it no longer is
 * @param byDigest accepted challenges
 * @param open what clients are asked, in the operator's order
 */
record AcceptedChallenges(
        byte[] epoch, Instant from, Instant to, Map<Bytes32, Accepted> byDigest, List<IssuedChallenge> open) {

    /**
     * A challenge that a token may answer.
     *
     * @param until when no gateway accepts it any more; {@link Instant#MAX} where only its key ends it
     * @param lapsed whether only the ticket that the token opened may vouch for it
     */
    record Accepted(String issuer, int type, Instant until, boolean lapsed) {

        /** Whether its redemption context is empty. */
        boolean endless() {
            return until.equals(Instant.MAX);
        }
    }

    boolean covers(Instant now, byte[] currentEpoch) {
        return !now.isBefore(from) && now.isBefore(to) && (epoch == currentEpoch || Arrays.equals(epoch, currentEpoch));
    }

    @Nullable
    Accepted find(Bytes32 digest) {
        return byDigest.get(digest);
    }
}
