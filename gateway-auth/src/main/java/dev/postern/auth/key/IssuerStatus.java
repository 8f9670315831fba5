package dev.postern.auth.key;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of one issuer's keys, for operators.
 *
 * @param directory null when its keys are static
 * @param success when the directory was last fetched or confirmed, or null
 * @param freshUntil when that copy becomes stale by HTTP caching rules, or null
 * @param failure when a fetch last failed, or null
 * @param next when the next fetch is due, or null
 * @param problem error of the last fetch; empty when the fetch succeeded
 * @param skipped parts of the last directory that cannot be used
 * @param keys all of its keys, including those in their grace period and dropped ones
 */
public record IssuerStatus(
        String issuer,
        @Nullable URI directory,
        @Nullable Instant success,
        @Nullable Instant freshUntil,
        @Nullable Instant failure,
        @Nullable Instant next,
        String problem,
        List<IssuerDirectory.Skipped> skipped,
        List<AcceptedKey> keys) {}
