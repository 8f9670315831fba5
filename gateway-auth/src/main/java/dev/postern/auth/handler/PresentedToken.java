package dev.postern.auth.handler;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.TokenVerifier.Candidate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A token that lacks nothing but arithmetic, and what the ledger will need of it. Confined to the event loop of its exchange. */
final class PresentedToken {

    private final Candidate candidate;
    private final byte[] epoch;
    private byte @Nullable [] ledgerKey;

    /** @param epoch of the ledger, from before the challenge was looked at */
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

    /** What the ledger knows it by; a hash, made when somebody asks, as nobody does of a token that is refused unverified. */
    byte[] ledgerKey() {
        byte[] key = ledgerKey;
        if (key == null) {
            key = Arrays.copyOf(TokenChallenge.sha256(token().identity()).toArray(), Redemption.KEY_LENGTH);
            ledgerKey = key;
        }
        return key;
    }
}
