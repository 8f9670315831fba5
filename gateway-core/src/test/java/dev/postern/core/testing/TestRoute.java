package dev.postern.core.testing;

import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.RouteTransform;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates routes with the default challenges, without transforms and without a minimum body rate, except for what a test changes. */
public final class TestRoute {

    private TestRoute() {}

    public static Route of(
            String name,
            String host,
            String path,
            String upstream,
            Route.Token token,
            @Nullable String rateLimit,
            Preflight preflight,
            Duration timeout,
            long requestBody) {
        return new Route(
                name,
                host,
                path,
                upstream,
                token,
                rateLimit,
                preflight,
                timeout,
                requestBody,
                ChallengeRule.DEFAULT,
                RouteTransform.PLAIN,
                MinBodyRate.NONE);
    }

    public static Route with(Route route, RouteTransform transform) {
        return KeyDefaults.with(route, Map.of("transform", transform));
    }

    public static Route with(Route route, MinBodyRate rate) {
        return KeyDefaults.with(route, Map.of("minBodyRate", rate));
    }
}
