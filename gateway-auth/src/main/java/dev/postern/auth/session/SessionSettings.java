package dev.postern.auth.session;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import java.time.Duration;

/** Settings of the session cookie of routes with {@code token: session}, section {@code privacy-pass.session} of the configuration. */
public record SessionSettings(
        @Key(defaultValue = "30m", description = "Validity from the spend of the token; use does not extend it.")
        Duration lifetime,

        @Key(
                defaultValue = "postern-session",
                description =
                        "Name; with the prefix `__Host-` where the client uses TLS, to the gateway or a trusted proxy.")
        String cookie) {

    public SessionSettings {
        Checks.of()
                .between("lifetime", lifetime, "1s", "30d")
                .that(
                        cookie.matches("[A-Za-z0-9.-][A-Za-z0-9._-]{0,63}"),
                        "cookie",
                        cookie,
                        "1 to 64 letters, digits, dots, dashes or underscores")
                .done();
    }
}
