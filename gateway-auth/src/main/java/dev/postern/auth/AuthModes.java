package dev.postern.auth;

import dev.postern.auth.session.SessionSettings;
import dev.postern.core.rate.Gcra;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How strictly tokens are asked for, and what else is done with them.
 *
 * @param keyLife how long tokens of a key pass where the challenge has an empty context
 * @param reportOnly whether everybody passes, and it is only counted and logged who would not
 * @param grease whether challenges that nobody can answer are sent now and then
 * @param session what a token buys on routes with {@code token: session}; null when there is no such route
 * @param failures failed verifications that each network of clients may cause; null for no limit
 */
public record AuthModes(
        Duration keyLife,
        boolean reportOnly,
        boolean grease,
        @Nullable SessionSettings session,
        @Nullable Gcra failures) {

    public static final AuthModes DEFAULT =
            new AuthModes(Duration.ofDays(90), false, false, null, Gcra.of(100, 1_000_000, 99));

    /** With other sessions, or none. */
    public AuthModes with(@Nullable SessionSettings sold) {
        return new AuthModes(keyLife, reportOnly, grease, sold, failures);
    }

    /** Lets everybody pass and counts who would not. */
    public AuthModes reporting() {
        return new AuthModes(keyLife, true, grease, session, failures);
    }

    /** Sends challenges that nobody can answer, too. */
    public AuthModes greasing() {
        return new AuthModes(keyLife, reportOnly, true, session, failures);
    }
}
