package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.MissedGoal;
import dev.postern.load.plan.Parameter;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Verifies at a steady rate, independent of responses, that every token can be spent exactly once.
 *
 * <p>A response of 503 means that the ledger did not reply in time and that the token is still valid: it is sent again a second later, as
 * {@code Retry-After} demands; few of them are allowed.
 */
public final class Steady extends Simulation {
    private final Visits visits = Visits.of(Steady.class);
    private final List<String> tokens = visits.tokens();
    private final int rate = visits.number(Parameter.RATE);
    private final int expected = visits.number(Parameter.EXPECT);
    private final int p99 = visits.number(Parameter.P99);
    private final int maxUnknown = Math.max(1, tokens.size() * visits.number(Parameter.MAX_UNKNOWN) / 100);
    private final AtomicInteger unknown = new AtomicInteger();

    {
        long millis = Math.max(1000, tokens.size() * 1000L / rate);
        setUp(scenario("steady")
                        .feed(Visits.queue(tokens))
                        .exec(
                                visits.redeem("redeem")
                                        .check(status().in(expected, 503).saveAs("status")),
                                doIf(this::isUnknown)
                                        .then(
                                                pause(Duration.ofSeconds(1)),
                                                visits.redeem("redeem again").check(status().is(expected))))
                        // Exactly one user per token, evenly spaced: an open model.
                        .injectOpen(rampUsers(tokens.size()).during(Duration.ofMillis(millis))))
                .protocols(visits.gateway().shareConnections())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("redeem").allRequests().count().is((long) tokens.size()),
                        global().responseTime().percentile3().lt(p99));
    }

    private boolean isUnknown(Session session) {
        boolean is = session.contains("status") && session.getInt("status") == 503;
        if (is) {
            unknown.incrementAndGet();
        }
        return is;
    }

    @Override
    public void after() {
        System.out.println("responses 503, each tried again: " + unknown + " (expected: at most " + maxUnknown + ")");
        if (unknown.get() > maxUnknown) {
            new MissedGoal("responses 503: " + unknown, "at most " + maxUnknown).report();
        }
    }
}
