package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.postern.load.plan.Parameter;
import io.gatling.javaapi.core.Simulation;

/** Verifies that each of many new TLS connections redeems a token; each user has a handshake of its own. */
public final class Tls extends Simulation {
    private final Visits visits = Visits.of(Tls.class);

    {
        int seconds = visits.number(Parameter.SECONDS);
        int connections = visits.number(Parameter.CONNECTIONS);
        setUp(scenario("tls")
                        .feed(Visits.queue(visits.tokens()))
                        .exec(visits.redeemed("redeem", request -> request))
                        .injectOpen(constantUsersPerSec(connections).during(seconds)))
                .protocols(visits.gateway())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("redeem").allRequests().count().is((long) connections * seconds));
    }
}
