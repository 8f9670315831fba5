package dev.postern.auth;

import dev.postern.auth.session.SessionSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How strictly tokens are asked for, and what else is done with them.
 *
 * @param keyLife how long tokens of a key pass where the challenge has an empty context
 * @param reportOnly whether everybody passes, and it is only counted and logged who would not
 * @param session what a token buys on routes with {@code token: session}; null when there is no such route
 */
public record AuthModes(
        Duration keyLife, boolean reportOnly, @Nullable SessionSettings session) {

    public static final AuthModes DEFAULT = new AuthModes(Duration.ofDays(90), false, null);
}
