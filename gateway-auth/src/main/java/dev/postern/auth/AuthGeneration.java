package dev.postern.auth;

import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.handler.Challenger;
import dev.postern.auth.handler.SpendStage;
import dev.postern.auth.key.IssuerKeys;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.TokenRules;
import org.jspecify.annotations.Nullable;

/**
 * Generation of token authentication: what depends on its settings, prepared for exchanges that begin under a configuration.
 *
 * @param basis what the generation was made of
 * @param keys the issuers' keys, perhaps those of the generation before
 * @param spend null where no stage spends tokens
 */
public record AuthGeneration(
        Basis basis,
        IssuerKeys keys,
        Challenges challenges,
        Challenger challenger,
        SpendStage.Terms terms,
        ExchangeStage decoding,
        ExchangeStage verification,
        @Nullable ExchangeStage spend)
        implements TokenRules {

    /**
     * Basis of a generation; equal ones make the same generation.
     *
     * @param sessions whether there are routes with {@code token: session}
     * @param ring keys that all replicas share
     */
    public record Basis(AuthSettings settings, boolean sessions, KeyRing ring) {}

    /** Returns a copy with that stage. */
    AuthGeneration with(ExchangeStage other) {
        return new AuthGeneration(basis, keys, challenges, challenger, terms, decoding, verification, other);
    }
}
