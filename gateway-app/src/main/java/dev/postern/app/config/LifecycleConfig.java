package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import java.time.Duration;

/** Lifecycle of the process: warm-up and drain. */
public record LifecycleConfig(
        @Key(or = "0s", says = "Time before the first accept in which own exchanges warm the code up.")
        Duration warmUp,

        @Key(or = "5s", says = "Time after SIGTERM in which `/readyz` fails and the listeners still accept.")
        Duration drainDelay,

        @Key(or = "20s", says = "Time after `drain-delay` for running exchanges; then they are cut.")
        Duration drainTimeout) {

    public LifecycleConfig {
        Checks.of()
                .between("warm-up", warmUp, "0", "1h")
                .between("drain-delay", drainDelay, "0", "1h")
                .between("drain-timeout", drainTimeout, "0", "1d")
                .done();
    }
}
