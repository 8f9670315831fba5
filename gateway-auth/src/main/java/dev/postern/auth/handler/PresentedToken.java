package dev.postern.auth.handler;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.TokenVerifier.Candidate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Token whose signature is still to be checked, with the data that the ledger needs. Confined to the event loop of its exchange. */
final class PresentedToken {

    private final Candidate candidate;
    private final byte[] epoch;
    private byte @Nullable [] ledgerKey;

    /** @param epoch of the ledger, read before the challenge was checked */
    PresentedToken(Candidate candidate, byte[] epoch) {
        this.candidate = candidate;
        this.epoch = epoch;
    }

    Candidate candidate() {
        return candidate;
    }

    Token token() {
        return candidate.token();
    }

    byte[] epoch() {
        return epoch;
    }

    /**
     * Returns the token's key in the ledger. The hash is computed on first use, since tokens that are refused unverified do not need it.
     */
    byte[] ledgerKey() {
        byte[] key = ledgerKey;
        if (key == null) {
            key = Arrays.copyOf(TokenChallenge.sha256(token().identity()).toArray(), Redemption.KEY_LENGTH);
            ledgerKey = key;
        }
        return key;
    }
}
