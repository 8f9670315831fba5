package dev.postern.app.reload;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.read.Problem;
import java.util.ArrayList;
import java.util.List;

/** Rule that tells which changes the running process can't apply. A pure function of configurations. */
public final class RestartRule {

    private static final String RESTART = "changed (expected: a restart)";

    private RestartRule() {}

    /**
     * Returns the problems of applying a configuration; none when the running process can apply it.
     *
     * @param running the configuration in force
     */
    public static List<Problem> problems(GatewayConfig running, LoadedConfig next) {
        List<Problem> problems = new ArrayList<>();
        for (Change change : Difference.between(running, next.config())) {
            if (change.restart()) {
                problems.add(new Problem(next.origin(change.location()), change.key(), RESTART));
            }
        }
        return problems;
    }
}
