package dev.postern.app.reload;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.read.Problem;
import dev.postern.core.route.Route;
import java.util.ArrayList;
import java.util.List;

/** Rule that tells which changes the running process can't apply. A pure function of configurations. */
public final class RestartRule {

    private static final String RESTART = "changed (expected: a restart)";
    private static final String SESSION = "session (expected: a restart, since no route had it at the start)";

    private RestartRule() {}

    /**
     * Returns the problems of applying a configuration; none when the running process can apply it.
     *
     * @param started the configuration that the process was started with
     * @param running the configuration in force
     */
    public static List<Problem> problems(GatewayConfig started, GatewayConfig running, LoadedConfig next) {
        List<Problem> problems = new ArrayList<>();
        for (Change change : Difference.between(running, next.config())) {
            if (change.restart()) {
                problems.add(new Problem(next.origin(change.location()), change.key(), RESTART));
            }
        }
        boolean sessions = started.routes().stream().anyMatch(RestartRule::usesSessions);
        List<RouteConfig> routes = next.config().routes();
        for (int i = 0; i < routes.size() && !sessions; i++) {
            if (usesSessions(routes.get(i))) {
                String key = "routes." + i + ".token";
                problems.add(new Problem(next.origin(key), key, SESSION));
            }
        }
        return problems;
    }

    private static boolean usesSessions(RouteConfig route) {
        return route.token() == Route.Token.SESSION;
    }
}
