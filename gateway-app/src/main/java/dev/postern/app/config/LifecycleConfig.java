package dev.postern.app.config;

import dev.postern.core.config.Key;
import java.time.Duration;

/** Lifecycle of the process: warm-up and drain. */
public record LifecycleConfig(
        @Key(
                defaultValue = "0s",
                min = "0",
                max = "1h",
                description = "Time before the first accept in which own exchanges warm the code up.")
        Duration warmUp,

        @Key(
                defaultValue = "5s",
                min = "0",
                max = "1h",
                description = "Time after SIGTERM in which `/readyz` fails and the listeners still accept.")
        Duration drainDelay,

        @Key(
                defaultValue = "20s",
                min = "0",
                max = "1d",
                description = "Time after `drain-delay` for running exchanges; then they are cut.")
        Duration drainTimeout) {}
