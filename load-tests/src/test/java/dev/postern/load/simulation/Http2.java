package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies over new HTTP/2 connections that a token is redeemed, and that concurrent requests without token on the same
 * connection get a challenge each. A response over HTTP/1.1 is a failure.
 */
public final class Http2 extends Simulation {
    private final Visits visits = Visits.of(Http2.class);

    {
        int seconds = visits.number(Parameter.SECONDS);
        int connections = visits.number(Parameter.CONNECTIONS);
        int streams = visits.number(Parameter.STREAMS);
        List<HttpRequestActionBuilder> others = new ArrayList<>();
        for (int i = 1; i <= streams; i++) {
            others.add(overHttp2(visits.get("without token " + i).check(status().is(401))));
        }
        setUp(scenario("http2")
                        .feed(Visits.queue(visits.tokens()))
                        .exec(visits.redeemed("redeem", request -> overHttp2(request.resources(others))))
                        .injectOpen(constantUsersPerSec(connections).during(seconds)))
                .protocols(visits.gateway().enableHttp2())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("redeem").allRequests().count().is((long) connections * seconds));
    }

    private static HttpRequestActionBuilder overHttp2(HttpRequestActionBuilder request) {
        return request.checkIf((response, session) -> !response.isHttp2())
                .then(bodyString().is("(a response over HTTP/2)"));
    }
}
