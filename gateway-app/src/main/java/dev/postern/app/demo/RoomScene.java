package dev.postern.app.demo;

import dev.postern.app.client.Reply;
import dev.postern.app.client.SiteClient;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.token.Token;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Four visitors at a site for one: the second is let in, the third and fourth wait in line and move up. For one thread. */
final class RoomScene {

    private static final String POSITION = "postern-queue-position";
    private static final long PATIENCE = Duration.ofSeconds(20).toNanos();

    private final URI busy;
    private final SiteClient client;
    private final TokenClient tokens;

    RoomScene(URI busy, SiteClient client, TokenClient tokens) {
        this.busy = busy;
        this.client = client;
        this.tokens = tokens;
    }

    /** One with a token and perhaps a ticket. */
    private final class Visitor {

        private final Token token;
        private String cookie = "";

        Visitor() throws IOException, InterruptedException {
            token = tokens.fetch(Visit.expect(401, client.get(busy, Map.of())).challenge());
        }

        Reply ask() throws IOException, InterruptedException {
            Map<String, String> fields = new HashMap<>(Visit.authorization(token));
            if (!cookie.isEmpty()) {
                fields.put("Cookie", cookie);
            }
            Reply reply = client.get(busy, fields);
            String set = reply.field("set-cookie");
            cookie = set.isEmpty() ? cookie : set.split(";", 2)[0];
            return reply;
        }
    }

    void play(Transcript transcript) throws InterruptedException {
        Holder<Visitor> before = new Holder<>("visitor");
        Holder<Visitor> last = new Holder<>("visitor");
        transcript.step("room entered", () -> {
            Visit.expect(200, new Visitor().ask()); // within the rate
            Visit.expect(200, new Visitor().ask()); // over it, and the only one
            before.set(new Visitor());
            last.set(new Visitor());
            position(1, before.get().ask());
            position(2, last.get().ask());
            return "503, place 2; the token is not spent";
        });
        transcript.step("moved up", () -> {
            long end = System.nanoTime() + PATIENCE;
            while (!Visit.expect(503, last.get().ask()).field(POSITION).equals("1")) {
                before.get().ask();
                pause(end);
            }
            return "place 1";
        });
        transcript.step("admitted", () -> {
            long end = System.nanoTime() + PATIENCE;
            for (Reply reply = last.get().ask();
                    reply.status() != 200;
                    reply = last.get().ask()) {
                Visit.expect(503, reply);
                pause(end);
            }
            return "200 with the token that waited";
        });
    }

    private static void position(int expected, Reply reply) throws IOException {
        Visit.expect(503, reply);
        String found = reply.field(POSITION);
        if (!found.equals(Integer.toString(expected))) {
            throw new IOException("place " + found + " (expected: " + expected + ")");
        }
    }

    private static void pause(long end) throws IOException, InterruptedException {
        if (System.nanoTime() > end) {
            throw new IOException("no change in 20 s (expected: the line moves)");
        }
        Thread.sleep(100);
    }
}
