package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.List;

/** Is every token good once and never again, at a steady rate that doesn't wait for answers? */
public final class Steady extends Simulation {
    private final List<String> tokens = Parameters.tokens("tokens.txt");
    private final int rate = Parameters.number("rate", 500);
    private final int expected = Parameters.number("expect", 200);
    private final int p99 = Parameters.number("p99", 1000);

    {
        long millis = Math.max(1000, tokens.size() * 1000L / rate);
        setUp(scenario("steady")
                        .feed(listFeeder(Parameters.rows(tokens)).queue())
                        .exec(http("redeem")
                                .get("/")
                                .header("Authorization", Parameters.authorization())
                                .check(status().is(expected)))
                        // Exactly one user a token, evenly spaced: an open model.
                        .injectOpen(rampUsers(tokens.size()).during(Duration.ofMillis(millis))))
                .protocols(Parameters.gateway().shareConnections())
                .assertions(
                        global().failedRequests().count().is(0L),
                        global().allRequests().count().is((long) tokens.size()),
                        global().responseTime().percentile3().lt(p99));
    }
}
