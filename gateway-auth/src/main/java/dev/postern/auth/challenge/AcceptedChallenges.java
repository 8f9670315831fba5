package dev.postern.auth.challenge;

import dev.postern.auth.token.Bytes32;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Challenges that one scope accepts and issues during a time in which neither changes; a token's challenge is then checked by one lookup of
 * 32 bytes. Immutable.
 *
 * @param epoch of the ledger, to which all of it belongs
 * @param from start of validity
 * @param to end of validity
 * @param byDigest accepted challenges
 * @param issued challenges for clients, in the operator's order
 */
public record AcceptedChallenges(
        byte[] epoch, Instant from, Instant to, Map<Bytes32, Accepted> byDigest, List<IssuedChallenge> issued) {

    /**
     * Accepted challenge of a token.
     *
     * @param until when no gateway accepts the challenge any more; {@link Instant#MAX} where only the key limits it
     * @param lapsed whether the token is only valid together with the ticket that it opened
     */
    public record Accepted(String issuer, int type, Instant until, boolean lapsed) {

        /** Returns whether the redemption context is empty. */
        public boolean endless() {
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
