package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import java.time.Duration;

/** Lifecycle of the process: warm-up and drain. */
public record LifecycleConfig(
        @Key(defaultValue = "0s", description = "Time before the first accept in which own exchanges warm the code up.")
        Duration warmUp,

        @Key(
                defaultValue = "5s",
                description = "Time after SIGTERM in which `/readyz` fails and the listeners still accept.")
        Duration drainDelay,

        @Key(defaultValue = "20s", description = "Time after `drain-delay` for running exchanges; then they are cut.")
        Duration drainTimeout) {

    public LifecycleConfig {
        Checks.of()
                .between("warm-up", warmUp, "0", "1h")
                .between("drain-delay", drainDelay, "0", "1h")
                .between("drain-timeout", drainTimeout, "0", "1d")
                .done();
    }
}
