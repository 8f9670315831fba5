package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.List;

/** Verifies the responses to a challenge, a redemption, a replay and a malformed token; a 503 of the ledger is no fault. */
public final class Smoke extends Simulation {
    private final Visits visits = Visits.of(Smoke.class);
    private final List<String> tokens = visits.tokens();
    private final int users = Math.min(visits.number(Parameter.USERS), tokens.size());

    private final ChainBuilder challenged = exec(visits.get("without token")
            .check(
                    status().is(401),
                    header("WWW-Authenticate").exists(),
                    jsonPath("$.code").is("token-required")));

    private final ChainBuilder redeemed = visits.redeemed("with token", request -> request);

    private final ChainBuilder replayed =
            visits.token("replay", 401, jsonPath("$.code").is("token-required"));

    private final ChainBuilder rubbish = exec(visits.get("rubbish")
            .header("Authorization", "PrivateToken token=\"%%%\"")
            .check(status().is(400), jsonPath("$.code").is("credentials-malformed")));

    {
        setUp(scenario("smoke")
                        .feed(Visits.queue(tokens))
                        .exec(challenged, redeemed, replayed, rubbish)
                        .injectOpen(atOnceUsers(users)))
                .protocols(visits.gateway())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("without token").allRequests().count().is((long) users),
                        details("with token").allRequests().count().is((long) users),
                        details("replay").allRequests().count().is((long) users),
                        details("rubbish").allRequests().count().is((long) users));
    }
}
