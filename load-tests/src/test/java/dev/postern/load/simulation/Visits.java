package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Settings;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.FeederBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Visits to the gateway under load, as the settings of the simulation describe them. */
record Visits(Settings settings) {
    /** Prints the settings of the simulation first. */
    static Visits of(Class<?> simulation) {
        Settings settings = Settings.ofSystem();
        System.out.print(settings.lines(simulation.getSimpleName()));
        return new Visits(settings);
    }

    int number(Parameter parameter) {
        return settings.number(parameter);
    }

    /** Reads one token a line, as {@code postern mint} writes them. */
    List<String> tokens() {
        return tokens(Parameter.TOKEN_FILE);
    }

    List<String> tokens(Parameter parameter) {
        Path file = Path.of(settings.text(parameter));
        try {
            List<String> tokens = Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            System.out.println("  " + tokens.size() + " tokens in " + file);
            return tokens;
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": not readable (expected: tokens from postern mint)", e);
        }
    }

    /** Returns a queue of tokens: each is used once, and an empty queue ends the run with an error. */
    static FeederBuilder<Object> queue(List<String> tokens) {
        return listFeeder(tokens.stream()
                        .map(token -> Map.<String, Object>of("token", token))
                        .collect(Collectors.toList()))
                .queue();
    }

    /** Creates the protocol to the gateway under load; Gatling neither fetches nor keeps anything by itself. */
    HttpProtocolBuilder gateway() {
        return http.baseUrl(settings.text(Parameter.GATEWAY_URL))
                .disableWarmUp()
                .disableCaching()
                .disableFollowRedirect()
                .userAgentHeader("postern-load-tests");
    }

    /** Creates a request without token. */
    HttpRequestActionBuilder get(String name) {
        return http(name).get(settings.text(Parameter.PATH));
    }

    /** Creates a request that redeems the token in the session. */
    HttpRequestActionBuilder redeem(String name) {
        return get(name).header("Authorization", "PrivateToken token=\"#{token}\"");
    }

    /**
     * Creates a request with a token that has to get that status. A response of 503 means that the ledger did not reply in
     * time: the request is sent again a second later, as {@code Retry-After} demands.
     *
     * @param body checks of a response with that status
     */
    ChainBuilder token(String name, int expected, CheckBuilder... body) {
        return exec(
                redeem(name)
                        .check(status().in(expected, 503).saveAs("status"))
                        .checkIf((response, session) -> response.status().code() == expected)
                        .then(body),
                doIf(session -> session.contains("status") && session.getInt("status") == 503)
                        .then(
                                pause(Duration.ofSeconds(1)),
                                redeem(name + " again")
                                        .check(status().is(expected))
                                        .check(body)));
    }

    /**
     * Creates a redemption that has to succeed. A response of 503 means that the ledger did not reply in time and that
     * the token is still valid: it is sent again a second later, as {@code Retry-After} demands.
     */
    ChainBuilder redeemed(String name, UnaryOperator<HttpRequestActionBuilder> more) {
        return exec(
                more.apply(redeem(name).check(status().in(200, 503).saveAs("status"))),
                doIf(session -> session.contains("status") && session.getInt("status") == 503)
                        .then(
                                pause(Duration.ofSeconds(1)),
                                more.apply(redeem(name + " again").check(status().is(200)))));
    }
}
