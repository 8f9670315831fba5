package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.Key;

/** How the process starts and ends. */
public record LifecycleConfig(
        @Key(
                or = "0s",
                says =
                        "Before it accepts anybody, the gateway exercises its code for so long with exchanges of its own, so that the first"
                                + " clients are served as fast as later ones.")
        ConfigDuration warmUp,

        @Key(
                or = "5s",
                says = "After SIGTERM: not ready, but still accepting, for so long, until load balancers have noticed.")
        ConfigDuration drainDelay,

        @Key(or = "20s", says = "After that: exchanges may take so long to end before they are cut off.")
        ConfigDuration drainTimeout) {

    public LifecycleConfig {
        Checks.of()
                .between("warm-up", warmUp, "0", "1h")
                .between("drain-delay", drainDelay, "0", "1h")
                .between("drain-timeout", drainTimeout, "0", "1d")
                .done();
    }
}
