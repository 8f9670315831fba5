package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.rendezVous;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.MissedGoal;
import dev.postern.load.plan.Parameter;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Verifies that a race of one token over many connections has exactly one winner. */
public final class DoubleSpend extends Simulation {
    private final Visits visits = Visits.of(DoubleSpend.class);
    private final List<String> tokens = visits.tokens();
    private final int copies = visits.number(Parameter.COPIES);
    private final int rate = visits.number(Parameter.RATE);
    private final Map<String, Integer> winners = new ConcurrentHashMap<>();

    {
        int users = tokens.size() * copies;
        List<String> repeated = tokens.stream()
                .flatMap(token -> Collections.nCopies(copies, token).stream())
                .toList();
        setUp(scenario("race")
                        .feed(Visits.queue(repeated))
                        // All copies of one token are released at the same moment, each over a connection of its own.
                        .exec(rendezVous(copies))
                        .exec(
                                spend("spend", 200, 401, 503),
                                // The ledger did not reply in time, and the token may be refunded: such a copy
                                // continues.
                                doIf(session -> responded(session, 503))
                                        .then(pause(Duration.ofSeconds(1)), spend("spend again", 200, 401)))
                        .exec(this::count)
                        .injectOpen(rampUsers(users).during(Duration.ofMillis(Math.max(1000, users * 1000L / rate)))))
                .protocols(visits.gateway())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("spend").allRequests().count().is((long) users));
    }

    private ChainBuilder spend(String name, Integer... statuses) {
        return exec(visits.redeem(name).check(status().in(statuses).saveAs("status")));
    }

    private static boolean responded(Session session, int status) {
        return session.contains("status") && session.getInt("status") == status;
    }

    private Session count(Session session) {
        if (responded(session, 200)) {
            winners.merge(session.getString("token"), 1, Integer::sum);
        }
        return session;
    }

    @Override
    public void after() {
        Map<Integer, Long> tokensByWinners = tokens.stream()
                .collect(Collectors.groupingBy(token -> winners.getOrDefault(token, 0), Collectors.counting()));
        System.out.println("winners per token (how many winners=how many tokens): " + tokensByWinners);
        if (!tokensByWinners.equals(Map.of(1, (long) tokens.size()))) {
            new MissedGoal("winners per token: " + tokensByWinners, "exactly one for each").report();
        }
    }
}
