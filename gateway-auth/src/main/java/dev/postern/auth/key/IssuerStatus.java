package dev.postern.auth.key;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one issuer's keys, for operators.
 *
 * @param directory null when its keys are static
 * @param success when the directory was last found good, or null
 * @param freshUntil when that copy has to be asked about by HTTP caching rules, or null
 * @param failure when a fetch last failed, or null
 * @param next when it will be fetched again, or null
 * @param problem what was wrong with the last fetch; empty when nothing was
 * @param keys all of its keys, those in their grace and dropped ones included
 */
public record IssuerStatus(
        String issuer,
        @Nullable URI directory,
        @Nullable Instant success,
        @Nullable Instant freshUntil,
        @Nullable Instant failure,
        @Nullable Instant next,
        String problem,
        List<AcceptedKey> keys) {}
