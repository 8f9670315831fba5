package dev.postern.auth;

import java.time.Duration;

/**
 * How strictly tokens are asked for, and what else is done with them.
 *
 * @param keyLife how long tokens of a key pass where the challenge has an empty context
 */
public record AuthModes(Duration keyLife) {

    public static final AuthModes DEFAULT = new AuthModes(Duration.ofDays(90));
}
