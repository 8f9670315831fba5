package dev.postern.auth;

import dev.postern.auth.session.SessionSettings;
import dev.postern.core.rate.Gcra;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Modes of token authentication: enforcement, GREASE, sessions and the budget of failures.
 *
 * @param keyLife how long tokens of a key pass when the challenge has an empty redemption context
 * @param reportOnly whether every exchange proceeds, and refusals are only counted and logged
 * @param grease whether some responses contain a challenge of a reserved type (GREASE)
 * @param session session that a token buys on routes with {@code token: session}; null when there is no such route
 * @param failures failed verifications that each client network may cause; null for no limit
 */
public record AuthModes(
        Duration keyLife,
        boolean reportOnly,
        boolean grease,
        @Nullable SessionSettings session,
        @Nullable Gcra failures) {

    public static final AuthModes DEFAULT =
            new AuthModes(Duration.ofDays(90), false, false, null, Gcra.of(100, 1_000_000, 99));

    /** Returns these modes with other sessions, or without sessions. */
    public AuthModes with(@Nullable SessionSettings sold) {
        return new AuthModes(keyLife, reportOnly, grease, sold, failures);
    }

    /** Returns these modes in report-only mode. */
    public AuthModes reporting() {
        return new AuthModes(keyLife, true, grease, session, failures);
    }

    /** Returns these modes with GREASE challenges. */
    public AuthModes greasing() {
        return new AuthModes(keyLife, reportOnly, true, session, failures);
    }
}
