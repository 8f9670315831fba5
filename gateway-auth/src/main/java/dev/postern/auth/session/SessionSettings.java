package dev.postern.auth.session;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.exchange.ClientBinding;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of the session cookie of routes with {@code token: session}, section {@code privacy-pass.session} of the configuration. */
public record SessionSettings(
        @Key(
                defaultValue = "30m",
                min = "1s",
                max = "30d",
                description = "Validity from the spend of the token; use does not extend it.")
        Duration lifetime,

        @Key(
                defaultValue = "postern-session",
                description =
                        "Name; with the prefix `__Host-` where the client uses TLS, to the gateway or a trusted proxy.")
        String cookie,

        @Key(
                defaultValue = "[agent]",
                description =
                        "Properties of the client that a session is bound to beside its sealed cookie: address (IPv4"
                                + " /24, IPv6 /56), and agent, the products of User-Agent without versions.")
        List<ClientBinding> bind,

        @Key(
                defaultValue = "null",
                description =
                        "Maximum rate of one session, whatever its addresses; beyond it 429. 0: no limit. Default: the"
                                + " rate of the route's limit, or `per-session-rate` of its fair queue.")
        @Nullable
        Rate rate) {

    public SessionSettings {
        bind = List.copyOf(bind);
        Checks.of()
                .that(
                        cookie.matches("[A-Za-z0-9.-][A-Za-z0-9._-]{0,63}"),
                        "cookie",
                        cookie,
                        "1 to 64 letters, digits, dots, dashes or underscores")
                .done();
    }
}
