package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.responseTimeInMillis;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Phase;
import dev.postern.load.plan.PhaseResult;
import dev.postern.load.plan.PhaseTimes;
import dev.postern.load.plan.Phases;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Arrivals in phases: an open model, in which each arrival spends a token of its own and its phase records the time. */
record Arrivals(Visits visits, Phases phases, PhaseTimes times) {
    private static final String MILLIS = "millis";

    Arrivals(Visits visits, Phases phases) {
        this(visits, phases, new PhaseTimes(phases));
    }

    /** Returns a population for each phase; the report of Gatling has a row for each. */
    List<PopulationBuilder> populations() {
        List<String> tokens = visits.tokens();
        List<PopulationBuilder> populations = new ArrayList<>();
        for (int i = 0; i < phases.list().size(); i++) {
            Phase phase = phases.list().get(i);
            populations.add(scenario(phase.name())
                    .feed(Visits.queue(phases.share(tokens, i)))
                    .exec(visits.redeem(phase.name())
                            .check(responseTimeInMillis().saveAs(MILLIS), status().is(200)))
                    .exec(session -> record(phase, session))
                    .injectOpen(
                            nothingFor(phase.start()),
                            constantUsersPerSec(phase.rate()).during(phase.seconds())));
        }
        return populations;
    }

    private Session record(Phase phase, Session session) {
        if (session.contains(MILLIS)) {
            times.response(phase, session.getInt(MILLIS), session.isFailed());
        } else {
            times.noResponse(phase);
        }
        return session;
    }

    /** Prints the figures of each phase, and writes them into the file of the settings. */
    List<PhaseResult> report() {
        List<PhaseResult> results = times.results();
        results.forEach(result -> System.out.println(result.name() + ": " + result.figures()));
        String file = visits.settings().text(Parameter.PHASES_FILE);
        if (!file.isEmpty()) {
            PhaseResult.write(results, Path.of(file));
        }
        return results;
    }
}
