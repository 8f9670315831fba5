package dev.postern.app.demo;

import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.SiteClient;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.token.Token;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Scenario of a waiting room with one active session and four clients: the first request is within the rate, the second client is admitted,
 * the third and the fourth wait and move up. For one thread.
 */
final class WaitingRoomScenario {

    private static final String POSITION = "postern-queue-position";
    private static final long PATIENCE = Duration.ofSeconds(20).toNanos();

    private final URI busy;
    private final SiteClient client;
    private final TokenClient tokens;

    WaitingRoomScenario(URI busy, SiteClient client, TokenClient tokens) {
        this.busy = busy;
        this.client = client;
        this.tokens = tokens;
    }

    /** Client with a token and, once waiting, a ticket. */
    private final class Visitor {

        private final Token token;
        private String cookie = "";

        Visitor() throws IOException, InterruptedException {
            token = tokens.fetch(
                    ClientScenario.expect(401, client.get(busy, Map.of())).challenge());
        }

        ClientResponse ask() throws IOException, InterruptedException {
            Map<String, String> fields = new HashMap<>(ClientScenario.authorization(token));
            if (!cookie.isEmpty()) {
                fields.put("Cookie", cookie);
            }
            ClientResponse response = client.get(busy, fields);
            String set = response.field("set-cookie");
            cookie = set.isEmpty() ? cookie : set.split(";", 2)[0];
            return response;
        }
    }

    void play(StepLog log) throws InterruptedException {
        StepValue<Visitor> before = new StepValue<>("visitor");
        StepValue<Visitor> last = new StepValue<>("visitor");
        log.step("room entered", () -> {
            ClientScenario.expect(200, new Visitor().ask()); // within the rate
            ClientScenario.expect(200, new Visitor().ask()); // beyond the rate: the only active session
            before.set(new Visitor());
            last.set(new Visitor());
            position(1, before.get().ask());
            position(2, last.get().ask());
            return "503, place 2; the token is not spent";
        });
        log.step("moved up", () -> {
            long end = System.nanoTime() + PATIENCE;
            while (!ClientScenario.expect(503, last.get().ask()).field(POSITION).equals("1")) {
                before.get().ask();
                pause(end);
            }
            return "place 1";
        });
        log.step("admitted", () -> {
            long end = System.nanoTime() + PATIENCE;
            for (ClientResponse response = last.get().ask();
                    response.status() != 200;
                    response = last.get().ask()) {
                ClientScenario.expect(503, response);
                pause(end);
            }
            return "200 with the token of the ticket";
        });
    }

    private static void position(int expected, ClientResponse response) throws IOException {
        ClientScenario.expect(503, response);
        String found = response.field(POSITION);
        if (!found.equals(Integer.toString(expected))) {
            throw new IOException("place " + found + " (expected: " + expected + ")");
        }
    }

    private static void pause(long end) throws IOException, InterruptedException {
        if (System.nanoTime() > end) {
            throw new IOException("no change in 20 s (expected: the place changes)");
        }
        Thread.sleep(100);
    }
}
