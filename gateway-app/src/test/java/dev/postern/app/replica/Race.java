package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Runs 64 connections over all gateways that offer one token at once, and records every offered token.
 *
 * <p>In all cases a response is 200, 401 or 503, no token is accepted twice, and the origin received exactly the accepted requests. Each
 * token has its own path, by which the origin counts.
 */
final class Race implements AutoCloseable {

    private static final int CONNECTIONS = 64;
    private static final TestOrigin.Behaviour HELLO = TestOrigin.Behaviour.ok("hello");

    private final Map<String, Integer> arrivals = new ConcurrentHashMap<>();
    private final Map<String, String> paths = new LinkedHashMap<>();
    private final Deque<String> spentOnce = new ArrayDeque<>();
    private final List<RawClient> clients = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private int rounds;

    Race(TestOrigin origin) {
        origin.behave((request, socket) -> {
            arrivals.merge(request.line().split(" ", -1)[1], 1, Integer::sum);
            HELLO.response(request, socket);
        });
    }

    /** Statuses that the connections received. */
    record Round(List<Integer> statuses) {

        boolean accepted() {
            return statuses.contains(200);
        }

        boolean refused() {
            return statuses.contains(503);
        }

        /** Returns the number of responses with each status, for example {@code {401=32, 503=32}}. */
        Map<Integer, Long> counted() {
            return statuses.stream()
                    .collect(Collectors.groupingBy(status -> status, TreeMap::new, Collectors.counting()));
        }
    }

    /** Connects to the gateways at these ports, or to those started instead. */
    Race connect(List<Integer> target) {
        close();
        clients.clear();
        ports.clear();
        ports.addAll(target);
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(new RawClient(port(i)));
        }
        return this;
    }

    /** Runs a round with a newly challenged token. */
    Round fresh() {
        return fresh(() -> {});
    }

    /** @param midway runs when half of the requests are sent and half lack their last byte */
    Round fresh(Runnable midway) {
        return round(freshToken(), midway);
    }

    /** Runs a round with a token that was accepted on one connection and not offered since, so that no gateway has it in its cache. */
    void replay() {
        String token = spentOnce.poll();
        if (token != null) {
            round(token, () -> {});
        }
    }

    /** Redeems that many tokens once, and keeps them for {@link #replay}. */
    void spendOnce(int tokens) {
        for (int i = 0; spentOnce.size() < tokens; i++) {
            assertThat(i).as("tokens offered").isLessThan(2 * tokens);
            String token = freshToken();
            // At another gateway than the one of the challenge, if there is one.
            if (offer(clients.get(rounds % CONNECTIONS), token) == 200) {
                spentOnce.add(token);
            }
        }
    }

    /** Offers all tokens again to every gateway: an accepted one is refused, and another one is accepted at most once. */
    void offerAllAgain() {
        spentOnce.clear();
        for (int i = 0; i < ports.size(); i++) {
            RawClient client = clients.get(i);
            paths.keySet().forEach(token -> offer(client, token));
        }
        assertThat(arrivals.values()).allMatch(times -> times == 1);
    }

    private String freshToken() {
        String token = Replicas.freshToken(port(rounds++));
        paths.put(token, "/" + paths.size());
        return token;
    }

    private int offer(RawClient client, String token) {
        int arrivalsBefore = arrivals(token);
        int status = client.send(request(token)).read().status();
        check(token, List.of(status), arrivalsBefore);
        return status;
    }

    private Round round(String token, Runnable midway) {
        int arrivalsBefore = arrivals(token);
        String request = request(token);
        // All bytes except the last one first, so that the requests are completed within microseconds of each other.
        clients.forEach(c -> c.send(request.substring(0, request.length() - 1)));
        String last = request.substring(request.length() - 1);
        clients.subList(0, CONNECTIONS / 2).forEach(c -> c.send(last));
        midway.run();
        clients.subList(CONNECTIONS / 2, CONNECTIONS).forEach(c -> c.send(last));
        List<Integer> statuses = clients.stream().map(c -> c.read().status()).toList();
        check(token, statuses, arrivalsBefore);
        return new Round(statuses);
    }

    /** Runs a round during which the gateway is killed: the state of the token is unknown, but it must not be accepted twice. */
    void killed(Runnable kill) {
        String request = request(freshToken());
        clients.forEach(c -> c.send(request));
        kill.run();
    }

    private void check(String token, List<Integer> statuses, int arrivalsBefore) {
        String round = "round " + rounds;
        int winners = (int) statuses.stream().filter(status -> status == 200).count();
        assertThat(statuses).as(round).isSubsetOf(200, 401, 503);
        assertThat(arrivalsBefore + winners).as("accepted, " + round).isLessThanOrEqualTo(1);
        assertThat(arrivals(token)).as("at the origin, " + round).isEqualTo(arrivalsBefore + winners);
    }

    private int arrivals(String token) {
        return arrivals.getOrDefault(path(token), 0);
    }

    private String request(String token) {
        return Replicas.redeeming(path(token), token);
    }

    private String path(String token) {
        return Objects.requireNonNull(paths.get(token), "path");
    }

    private int port(int index) {
        return ports.get(index % ports.size());
    }

    @Override
    public void close() {
        clients.forEach(RawClient::close);
    }
}
