package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.details;

import dev.postern.load.plan.Capacity;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Phases;
import io.gatling.javaapi.core.Simulation;

/**
 * Finds the capacity: the arrival rate rises in levels, and the last level within the limits of p99 and failed requests
 * is the capacity. The first level has to succeed.
 */
public final class Ramp extends Simulation {
    private final Visits visits = Visits.of(Ramp.class);
    private final Arrivals arrivals = new Arrivals(visits, Phases.ramp(visits.settings()));

    {
        String first = arrivals.phases().judged().get(0).name();
        setUp(arrivals.populations())
                .protocols(visits.gateway().shareConnections())
                .assertions(
                        details(first).failedRequests().percent().lte((double) visits.number(Parameter.LIMIT_FAILED)));
    }

    @Override
    public void after() {
        System.out.println(
                "capacity: " + Capacity.of(arrivals.report(), visits.settings()).text());
    }
}
