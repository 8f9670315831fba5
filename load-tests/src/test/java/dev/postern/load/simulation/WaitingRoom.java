package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.asLongAsDuring;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Do people get whole pages when the site is full? Browsers come all at once, reload the page until they get it, then fetch its
 * assets over six connections and try none of them twice; a page counts when everything of it came.
 *
 * <p>The same crowd visits each path in turn: with the fair queue and with a plain limit, on both engines. A page is a group of
 * Gatling's: it fails when any of its assets fails.
 */
public final class WaitingRoom extends Simulation {
    private final int browsers = Parameters.number("browsers", 20);
    private final int assets = Parameters.number("assets", 20);
    private final int patience = Parameters.number("patience", 120);
    private final int mostWithout = Parameters.number("mostWithout", 2);
    private final List<String> queues =
            List.of(Parameters.text("queues", "queue-embedded,queue-redis").split(","));
    private final List<String> plains =
            List.of(Parameters.text("plains", "plain-embedded,plain-redis").split(","));

    {
        List<String> paths = new ArrayList<>(queues);
        paths.addAll(plains);
        PopulationBuilder crowds = null;
        for (int i = paths.size() - 1; i >= 0; i--) {
            PopulationBuilder crowd = crowd(paths.get(i));
            crowds = crowds == null ? crowd : crowd.andThen(crowds);
        }
        if (crowds == null) {
            throw new IllegalArgumentException("queues, plains: none (expected: at least one path)");
        }
        List<Assertion> assertions = new ArrayList<>();
        queues.forEach(path ->
                assertions.add(details(path).successfulRequests().count().is((long) browsers)));
        plains.forEach(path ->
                assertions.add(details(path).successfulRequests().count().lte((long) mostWithout)));
        setUp(crowds)
                .protocols(Parameters.gateway()
                        .maxConnectionsPerHost(6)
                        // The origin tells browsers apart by it.
                        .header("X-Browser", session -> String.valueOf(session.userId())))
                .assertions(assertions.toArray(Assertion[]::new));
    }

    private PopulationBuilder crowd(String path) {
        return scenario(path)
                .exec(group(path)
                        .on(
                                untilPage(path),
                                doIfOrElse(WaitingRoom::hasPage)
                                        .then(assets(path))
                                        .orElse(exec(Session::markAsFailed))))
                .injectOpen(atOnceUsers(browsers));
    }

    private ChainBuilder untilPage(String path) {
        return asLongAsDuring(session -> !hasPage(session), Duration.ofSeconds(patience))
                .on(
                        exec(http(path + ": page")
                                .get("/" + path + "/page")
                                .header("Accept", "text/html")
                                .header("Sec-Fetch-Mode", "navigate")
                                .header("Sec-Fetch-Dest", "document")
                                .check(status().in(200, 429, 503).saveAs("page"))),
                        doIf(session -> !hasPage(session))
                                .then(pause(Duration.ofMillis(900), Duration.ofMillis(1100))));
    }

    private ChainBuilder assets(String path) {
        HttpRequestActionBuilder[] others = IntStream.rangeClosed(2, assets)
                .mapToObj(number -> asset(path, number, status().is(200)))
                .toArray(HttpRequestActionBuilder[]::new);
        // Gatling fetches resources only beside a good request; a browser fetches them whatever became of the first.
        return exec(
                asset(path, 1, status().in(200, 429, 503).saveAs("first")).resources(others),
                doIf(session -> session.getInt("first") != 200).then(exec(Session::markAsFailed)));
    }

    private static HttpRequestActionBuilder asset(String path, int number, CheckBuilder check) {
        return http(path + ": asset")
                .get("/" + path + "/asset-" + number)
                .header("Accept", "*/*")
                .header("Sec-Fetch-Mode", "no-cors")
                .header("Sec-Fetch-Dest", "image")
                .check(check);
    }

    private static boolean hasPage(Session session) {
        return session.contains("page") && session.getInt("page") == 200;
    }
}
