package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Phase;
import dev.postern.load.plan.Phases;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Redeems tokens at a constant arrival rate for a long time, after a warm-up with a rate of its own. Tokens are read while they are used, so
 * that a pipe can supply them.
 *
 * <p>{@code load-tests/run} samples the gateway meanwhile and judges its memory, descriptors, threads and latency; here only the responses
 * are.
 */
public final class Soak extends Simulation {
    private static final long NONE = Long.MIN_VALUE;

    private final Visits visits = Visits.of(Soak.class);
    private final Arrivals arrivals = new Arrivals(visits, Phases.soak(visits.settings()));
    private final TokenStream tokens = new TokenStream(Path.of(visits.settings().text(Parameter.TOKEN_FILE)));
    private final AtomicLong firstArrival = new AtomicLong(NONE);

    {
        Phases phases = arrivals.phases();
        setUp(scenario("soak")
                        .feed(tokens)
                        .exec(arrivals.timed(visits.redeem("redeem").check(status().in(200, 503)), this::phase))
                        // The ledger did not reply in time, and the token is still valid.
                        .exec(doIf(session -> session.contains("status") && session.getInt("status") == 503)
                                .then(
                                        pause(Duration.ofSeconds(1)),
                                        visits.redeem("redeem again").check(status().is(200))))
                        .injectOpen(phases.list().stream()
                                .map(phase -> constantUsersPerSec(phase.rate()).during(phase.seconds()))
                                .toArray(OpenInjectionStep[]::new)))
                .protocols(visits.gateway().shareConnections())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("redeem").allRequests().count().is((long) phases.users()));
    }

    private Phase phase(Session session) {
        long sent = session.getLong(Arrivals.SENT);
        firstArrival.compareAndSet(NONE, sent);
        return arrivals.phases().at((sent - firstArrival.get()) / 1e9);
    }

    @Override
    public void before() {
        try {
            tokens.awaitFull();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void after() {
        arrivals.write();
    }
}
