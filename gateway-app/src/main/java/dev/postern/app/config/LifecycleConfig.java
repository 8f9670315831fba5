package dev.postern.app.config;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.ConfigDuration;
import dev.postern.app.config.type.Key;

/** Lifecycle of the process: warm-up and drain. */
public record LifecycleConfig(
        @Key(or = "0s", says = "Time before the first accept in which own exchanges warm the code up.")
        ConfigDuration warmUp,

        @Key(or = "5s", says = "Time after SIGTERM in which `/readyz` fails and the listeners still accept.")
        ConfigDuration drainDelay,

        @Key(or = "20s", says = "Time after `drain-delay` for running exchanges; then they are cut.")
        ConfigDuration drainTimeout) {

    public LifecycleConfig {
        Checks.of()
                .between("warm-up", warmUp, "0", "1h")
                .between("drain-delay", drainDelay, "0", "1h")
                .between("drain-timeout", drainTimeout, "0", "1d")
                .done();
    }
}
