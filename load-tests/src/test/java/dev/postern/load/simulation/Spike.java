package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.details;

import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Phases;
import io.gatling.javaapi.core.Simulation;

/** Verifies that a short peak of arrivals leaves no failures behind: requests succeed before it and after it. */
public final class Spike extends Simulation {
    private final Visits visits = Visits.of(Spike.class);
    private final Arrivals arrivals = new Arrivals(visits, Phases.spike(visits.settings()));

    {
        double limit = visits.number(Parameter.LIMIT_FAILED);
        setUp(arrivals.populations())
                .protocols(visits.gateway().shareConnections())
                .assertions(
                        details("before").failedRequests().percent().lte(limit),
                        details("after").failedRequests().percent().lte(limit));
    }

    @Override
    public void after() {
        arrivals.report();
    }
}
