package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.List;

/** Verifies the responses to a challenge, a redemption, a replay and a malformed token. */
public final class Smoke extends Simulation {
    private final List<String> tokens = Parameters.tokens("tokens.txt");
    private final int users = Parameters.number("users", Math.min(20, tokens.size()));

    private final ChainBuilder challenged = exec(http("without token")
            .get("/")
            .check(
                    status().is(401),
                    header("WWW-Authenticate").exists(),
                    jsonPath("$.code").is("token-required")));

    private final ChainBuilder redeemed = exec(http("with token")
            .get("/")
            .header("Authorization", Parameters.authorization())
            .check(status().is(200)));

    private final ChainBuilder replayed = exec(http("same token again")
            .get("/")
            .header("Authorization", Parameters.authorization())
            .check(status().is(401), jsonPath("$.code").is("token-required")));

    private final ChainBuilder rubbish = exec(http("rubbish")
            .get("/")
            .header("Authorization", "PrivateToken token=\"%%%\"")
            .check(status().is(400), jsonPath("$.code").is("credentials-malformed")));

    {
        setUp(scenario("smoke")
                        .feed(listFeeder(Parameters.rows(tokens)).queue())
                        .exec(challenged, redeemed, replayed, rubbish)
                        .injectOpen(atOnceUsers(users)))
                .protocols(Parameters.gateway())
                .assertions(
                        global().failedRequests().count().is(0L),
                        global().allRequests().count().is(users * 4L));
    }
}
