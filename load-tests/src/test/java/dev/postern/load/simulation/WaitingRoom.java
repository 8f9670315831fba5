package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.MissedGoal;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.RoomNeeds;
import dev.postern.load.plan.RoomOrder;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies a waiting room: visitors arrive faster than the room admits them, keep their cookie and ask again as {@code Retry-After} demands.
 * Each is admitted, in the order of arrival, and then gets all requests of its page.
 */
public final class WaitingRoom extends Simulation {
    private static final String STATUS = "status";
    private static final String POSITION = "position";
    private static final String RETRY = "retry";
    private static final String NUMBER = "number";
    private static final String ARRIVED = "arrived";

    private final Visits visits = Visits.of(WaitingRoom.class);
    private final RoomOrder order = new RoomOrder();

    {
        System.out.print(RoomNeeds.lines(visits.settings()));
        int visitors = visits.number(Parameter.VISITORS) * visits.number(Parameter.SECONDS);
        int assets = visits.number(Parameter.ASSETS);
        setUp(scenario("visitors")
                        .exec(session -> session.set(NUMBER, order.arrived()).set(ARRIVED, System.nanoTime()))
                        .exec(ask("arrive"))
                        .exec(asLongAs(this::waits).on(pause(WaitingRoom::retry), ask("ask again")))
                        .exec(this::admitted)
                        .exec(page(assets))
                        .injectOpen(constantUsersPerSec(visits.number(Parameter.VISITORS))
                                .during(visits.number(Parameter.SECONDS))))
                .protocols(visits.gateway().acceptHeader("text/html"))
                .assertions(
                        global().failedRequests().count().is(0L),
                        details("arrive").allRequests().count().is((long) visitors),
                        details("asset 1").allRequests().count().is((long) visitors));
    }

    private ChainBuilder ask(String name) {
        return exec(session -> session.removeAll(POSITION, RETRY))
                .exec(visits.get(name)
                        .check(
                                status().in(200, 202, 429, 503).saveAs(STATUS),
                                header("Postern-Queue-Position").optional().saveAs(POSITION),
                                header("Retry-After").optional().saveAs(RETRY)))
                .exec(this::position);
    }

    private Session position(Session session) {
        if (session.contains(POSITION)) {
            order.waits(session.getInt(NUMBER), Integer.parseInt(session.getString(POSITION)));
        }
        return session;
    }

    /** A room may be configured to respond with 200 to visitors that wait; the position tells the two apart. */
    private boolean waits(Session session) {
        boolean waits = session.contains(POSITION) || !session.contains(STATUS) || session.getInt(STATUS) != 200;
        long seconds = (System.nanoTime() - session.getLong(ARRIVED)) / 1_000_000_000;
        return waits && !session.isFailed() && seconds < visits.number(Parameter.PATIENCE);
    }

    private static Duration retry(Session session) {
        return Duration.ofSeconds(session.contains(RETRY) ? Long.parseLong(session.getString(RETRY)) : 1);
    }

    private Session admitted(Session session) {
        if (session.contains(POSITION) || session.isFailed() || session.getInt(STATUS) != 200) {
            return session.markAsFailed();
        }
        order.admitted(session.getInt(NUMBER));
        return session;
    }

    /** The rest of the page at once, as a browser asks for it. */
    private ChainBuilder page(int assets) {
        List<HttpRequestActionBuilder> others = new ArrayList<>();
        for (int i = 2; i <= assets; i++) {
            others.add(asset(i));
        }
        return exec(asset(1).resources(others));
    }

    private HttpRequestActionBuilder asset(int number) {
        return visits.get("asset " + number)
                .header("Accept", "*/*")
                .header("Sec-Fetch-Mode", "no-cors")
                .check(status().is(200));
    }

    @Override
    public void after() {
        System.out.println("order: " + order.text());
        int visitors = visits.number(Parameter.VISITORS) * visits.number(Parameter.SECONDS);
        order.missed(visitors, visits.number(Parameter.ACTIVE)).ifPresent(MissedGoal::report);
    }
}
