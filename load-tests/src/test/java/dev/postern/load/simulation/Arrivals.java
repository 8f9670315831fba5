package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Phase;
import dev.postern.load.plan.PhaseResult;
import dev.postern.load.plan.PhaseTimes;
import dev.postern.load.plan.Phases;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Arrivals in phases: an open model, in which each arrival spends a token of its own and its phase records the time. */
record Arrivals(Visits visits, Phases phases, PhaseTimes times) {
    static final String SENT = "sent";
    private static final String STATUS = "status";

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
                    .exec(timed(visits.redeem(phase.name()).check(status().is(200)), session -> phase))
                    .injectOpen(
                            nothingFor(phase.start()),
                            constantUsersPerSec(phase.rate()).during(phase.seconds())));
        }
        return populations;
    }

    /**
     * Returns the request with the recording of its time, by a clock that is finer than Gatling's, which counts milliseconds.
     *
     * @param phase whose time it is
     */
    ChainBuilder timed(HttpRequestActionBuilder request, Function<Session, Phase> phase) {
        return exec(session -> session.set(SENT, System.nanoTime()))
                .exec(request.check(status().saveAs(STATUS)))
                .exec(session -> record(phase.apply(session), session));
    }

    private Session record(Phase phase, Session session) {
        if (session.contains(STATUS)) {
            long micros = (System.nanoTime() - session.getLong(SENT)) / 1000;
            times.response(phase, micros, session.isFailed());
        } else {
            times.noResponse(phase);
        }
        return session;
    }

    /** Prints the figures of each phase, and writes them into the file of the settings. */
    List<PhaseResult> report() {
        List<PhaseResult> results = write();
        results.forEach(result -> System.out.println(result.name() + ": " + result.figures()));
        return results;
    }

    /** Writes the figures of each phase into the file of the settings. */
    List<PhaseResult> write() {
        List<PhaseResult> results = times.results();
        String file = visits.settings().text(Parameter.PHASES_FILE);
        if (!file.isEmpty()) {
            PhaseResult.write(results, Path.of(file));
        }
        return results;
    }
}
