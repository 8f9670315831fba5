package dev.postern.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitHereIfFailed;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.postern.load.plan.Parameter;
import dev.postern.load.tunnel.TunnelClient;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** Echoes through tunnels, each opened by a user of an open model: messages to a server that sends them back. */
record Echoes(Visits visits) {
    private static final String TUNNEL = "tunnel";
    private static final Duration BETWEEN = Duration.ofMillis(100);

    /** Tunnel to the destination. */
    interface Tunnel extends Closeable {
        /** Sends a message and returns what comes back. */
        byte[] echo(byte[] message) throws IOException;
    }

    /** Opens a tunnel of one kind. */
    interface Opening {
        Tunnel open(TunnelClient client, String host, int port) throws IOException;
    }

    PopulationBuilder population(Opening opening) {
        return scenario("tunnels")
                .exec(tokens())
                .exec(new Blocking("open", session -> session.set(TUNNEL, open(opening, session))))
                .exec(exitHereIfFailed())
                .exec(repeat(visits.number(Parameter.ROUND_TRIPS))
                        .on(pause(BETWEEN), exec(new Blocking("round trip", this::echo))))
                .exec(new Blocking("close", Echoes::close))
                .injectOpen(
                        constantUsersPerSec(visits.number(Parameter.TUNNELS)).during(visits.number(Parameter.SECONDS)));
    }

    /** Each tunnel has a token of its own if there is a file of them. */
    private ChainBuilder tokens() {
        return Files.exists(Path.of(visits.settings().text(Parameter.TOKEN_FILE)))
                ? feed(Visits.queue(visits.tokens()))
                : exec(session -> session);
    }

    private Tunnel open(Opening opening, Session session) throws IOException {
        URI gateway = URI.create(visits.settings().text(Parameter.GATEWAY_URL));
        String destination = visits.settings().text(Parameter.DESTINATION);
        int colon = destination.lastIndexOf(':');
        String token = session.contains("token") ? "PrivateToken token=\"" + session.getString("token") + "\"" : null;
        TunnelClient client = new TunnelClient(new InetSocketAddress(gateway.getHost(), gateway.getPort()), token);
        return opening.open(
                client, destination.substring(0, colon), Integer.parseInt(destination.substring(colon + 1)));
    }

    private Session echo(Session session) throws IOException {
        byte[] message = new byte[visits.number(Parameter.BYTES)];
        new Random(session.userId()).nextBytes(message);
        byte[] echo = session.<Tunnel>get(TUNNEL).echo(message);
        if (!Arrays.equals(message, echo)) {
            throw new IOException("echo: " + echo.length + " bytes that differ (expected: the message of "
                    + message.length + " bytes)");
        }
        return session;
    }

    private static Session close(Session session) throws IOException {
        session.<Tunnel>get(TUNNEL).close();
        return session;
    }

    Assertion[] assertions() {
        long tunnels = (long) visits.number(Parameter.TUNNELS) * visits.number(Parameter.SECONDS);
        return new Assertion[] {
            global().failedRequests().count().is(0L),
            details("open").allRequests().count().is(tunnels),
            details("round trip").allRequests().count().is(tunnels * visits.number(Parameter.ROUND_TRIPS)),
            details("round trip").responseTime().percentile3().lt(visits.number(Parameter.P99))
        };
    }
}
