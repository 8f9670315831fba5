package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.util.List;

/** Verifies that valid tokens pass, and no forged token, while a client of another network sends forged ones. */
public final class ForgedFlood extends Simulation {
    private final Visits visits = Visits.of(ForgedFlood.class);
    private final List<String> valid = visits.tokens();
    private final List<String> forged = visits.tokens(Parameter.FORGED_FILE);
    private final int seconds = visits.number(Parameter.SECONDS);

    {
        int visitors = visits.number(Parameter.VALID);
        setUp(
                        scenario("visitors")
                                .feed(Visits.queue(valid))
                                .exec(visits.redeemed("valid", request -> request))
                                .injectOpen(constantUsersPerSec(visitors).during(seconds))
                                // Connections of their own: Gatling shares connections regardless of the local address,
                                // so that valid tokens would come from the network of the forgers.
                                .protocols(visits.gateway()),
                        scenario("forgers")
                                .feed(Visits.queue(forged))
                                .exec(visits.redeem("forged").check(status().in(401, 503)))
                                .injectOpen(constantUsersPerSec(visits.number(Parameter.FORGED))
                                        .during(seconds))
                                .protocols(forger()))
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("valid").allRequests().count().is((long) visitors * seconds));
    }

    private HttpProtocolBuilder forger() {
        String address = visits.settings().text(Parameter.FORGED_ADDRESS);
        HttpProtocolBuilder gateway = visits.gateway().shareConnections();
        return address.isEmpty() ? gateway : gateway.localAddress(address);
    }
}
