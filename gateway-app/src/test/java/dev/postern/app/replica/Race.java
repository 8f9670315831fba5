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
 * 64 connections over all gateways which offer one token at once, and every token that was ever offered.
 *
 * <p>Whatever happens, a response is 200, 401 or 503, no token passes twice, and the origin saw what passed and nothing else. Each token goes
 * with a path of its own, by which the origin counts.
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

    /** What the connections were told, one after the other. */
    record Round(List<Integer> statuses) {

        boolean won() {
            return statuses.contains(200);
        }

        boolean refused() {
            return statuses.contains(503);
        }

        /** How often each status was told, {@code {401=32, 503=32}} say. */
        Map<Integer, Long> counted() {
            return statuses.stream()
                    .collect(Collectors.groupingBy(status -> status, TreeMap::new, Collectors.counting()));
        }
    }

    /** Goes to the gateways at these ports, or on to those that were started instead. */
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

    /** A round with a token that is challenged for now. */
    Round fresh() {
        return fresh(() -> {});
    }

    /** @param midway happens when half of the requests are on their way and half lack their last byte */
    Round fresh(Runnable midway) {
        return round(freshToken(), midway);
    }

    /** A round with a token that passed at one connection and was offered to nobody since, so no gateway remembers it by itself. */
    void replay() {
        String token = spentOnce.poll();
        if (token != null) {
            round(token, () -> {});
        }
    }

    /** Lets so many tokens pass that are offered once, and keeps them for {@link #replay}. */
    void spendOnce(int tokens) {
        for (int i = 0; spentOnce.size() < tokens; i++) {
            assertThat(i).as("tokens offered").isLessThan(2 * tokens);
            String token = freshToken();
            // At another gateway than it was challenged by, if there is one.
            if (offer(clients.get(rounds % CONNECTIONS), token) == 200) {
                spentOnce.add(token);
            }
        }
    }

    /** Offers everything again to every gateway: what passed doesn't, and what did not pass does once at most. */
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
        int before = arrivals(token);
        int status = client.send(request(token)).read().status();
        check(token, List.of(status), before);
        return status;
    }

    private Round round(String token, Runnable midway) {
        int before = arrivals(token);
        String request = request(token);
        // All but the last byte first, so that the requests become whole within microseconds of each other.
        clients.forEach(c -> c.send(request.substring(0, request.length() - 1)));
        String last = request.substring(request.length() - 1);
        clients.subList(0, CONNECTIONS / 2).forEach(c -> c.send(last));
        midway.run();
        clients.subList(CONNECTIONS / 2, CONNECTIONS).forEach(c -> c.send(last));
        List<Integer> statuses = clients.stream().map(c -> c.read().status()).toList();
        check(token, statuses, before);
        return new Round(statuses);
    }

    /** A round during which the gateway is killed: nobody knows what became of the token, only that it may not pass twice. */
    void killed(Runnable kill) {
        String request = request(freshToken());
        clients.forEach(c -> c.send(request));
        kill.run();
    }

    private void check(String token, List<Integer> statuses, int before) {
        String round = "round " + rounds;
        int winners = (int) statuses.stream().filter(status -> status == 200).count();
        assertThat(statuses).as(round).isSubsetOf(200, 401, 503);
        assertThat(before + winners).as("winners, " + round).isLessThanOrEqualTo(1);
        assertThat(arrivals(token)).as("at the origin, " + round).isEqualTo(before + winners);
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

    private int port(int turn) {
        return ports.get(turn % ports.size());
    }

    @Override
    public void close() {
        clients.forEach(RawClient::close);
    }
}
