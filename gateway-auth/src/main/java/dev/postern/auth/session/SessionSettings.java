package dev.postern.auth.session;

import java.time.Duration;

/**
 * Settings of the session cookie, {@code privacy-pass.session}.
 *
 * @param lifetime from the spend of the token; use does not extend it
 * @param cookie name of the cookie; prefixed with {@code __Host-} on TLS
 */
public record SessionSettings(Duration lifetime, String cookie) {

    public static final SessionSettings DEFAULT = new SessionSettings(Duration.ofMinutes(30), "postern-session");

    public SessionSettings {
        if (lifetime.compareTo(Duration.ofSeconds(1)) < 0 || lifetime.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException("session.lifetime: " + lifetime + " (expected: 1s to 30d)");
        }
        if (!cookie.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}") || cookie.startsWith("__")) {
            throw new IllegalArgumentException(
                    "session.cookie: " + cookie + " (expected: 1 to 64 characters of a token, not beginning with __)");
        }
    }
}
