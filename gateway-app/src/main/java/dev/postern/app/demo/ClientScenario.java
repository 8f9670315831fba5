package dev.postern.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.DatagramStream;
import dev.postern.app.client.ProxyTunnel;
import dev.postern.app.client.SiteClient;
import dev.postern.auth.issue.TokenClient;
import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.Token;
import dev.postern.core.config.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Scenario of a client: each step requests a documented behaviour of the gateway and fails on any other response. For one thread. */
final class ClientScenario {

    private static final int DATAGRAMS = 5;

    /** One at the gateway; one at the other proxy, and the same token at the gateway once more. */
    private static final int REPLAYS = 3;

    /** Path that the site gets from the other proxy, not from the gateway. */
    private static final String ASKED = "/asked";

    private final URI page;
    private final URI busy;
    private final URI asked;
    private final InetSocketAddress forwardProxy;
    private final SampleOrigin origin;
    private final HostPort echo;
    private final ExchangeLines lines;
    private final SiteClient client = new SiteClient();

    /**
     * Addresses of the demo.
     *
     * @param web of the gateway for the site, as {@code host:port}
     * @param forward of its forward proxy
     * @param asking of the other proxy, as {@code host:port}
     */
    record Addresses(String web, InetSocketAddress forward, String asking) {}

    ClientScenario(Addresses addresses, SampleOrigin origin, EchoSocket echo, ExchangeLines lines) {
        this.page = URI.create("http://" + addresses.web() + "/");
        this.busy = URI.create("http://" + addresses.web() + "/busy");
        this.asked = URI.create("http://" + addresses.asking() + ASKED);
        this.forwardProxy = addresses.forward();
        this.origin = origin;
        this.echo = new HostPort("127.0.0.1", echo.port());
        this.lines = lines;
    }

    void run(StepLog log) throws InterruptedException {
        try (TokenClient tokens = new TokenClient(InstantSource.system(), null)) {
            redeem(log, tokens);
            ask(log, tokens);
            new WaitingRoomScenario(busy, client, tokens).play(log);
            leave(log, tokens);
        }
        log.step("logs agree", this::compareLogs);
    }

    private void redeem(StepLog log, TokenClient tokens) throws InterruptedException {
        StepValue<ChallengeField> challenge = new StepValue<>("challenge");
        StepValue<Token> token = new StepValue<>("token");
        log.step("challenge", () -> {
            ClientResponse response = expect(401, client.get(page, Map.of()));
            challenge.set(response.challenge());
            return "401, good for " + challenge.get().maxAge() + " s";
        });
        log.step("token blinded, signed, finalised", () -> {
            token.set(tokens.fetch(challenge.get()));
            return "the issuer saw neither nonce nor signature";
        });
        log.step("redeemed", () -> {
            int count = origin.log().size();
            expect(200, client.get(page, authorization(token.get())));
            return seen(count + 1);
        });
        log.step("replay refused", () -> {
            int count = origin.log().size();
            expect(401, client.get(page, authorization(token.get())));
            return seen(count);
        });
        log.step("tampered refused", () -> {
            int count = origin.log().size();
            expect(401, client.get(page, authorization(tampered(tokens.fetch(challenge.get())))));
            return seen(count);
        });
    }

    /** Redeems a token through a proxy that asks the gateway: it is spent for both. */
    private void ask(StepLog log, TokenClient tokens) throws InterruptedException {
        log.step("redeemed through a proxy that asks", () -> {
            int count = origin.log().size();
            Token token = tokens.fetch(expect(401, client.get(asked, Map.of())).challenge());
            expect(200, client.get(asked, authorization(token)));
            expect(401, client.get(asked, authorization(token)));
            expect(401, client.get(page, authorization(token)));
            return seen(count + 1);
        });
    }

    private void leave(StepLog log, TokenClient tokens) throws InterruptedException {
        log.step("tunnel opened", () -> {
            String credential = proxyCredential(tokens);
            try (ProxyTunnel tunnel = ProxyTunnel.open(forwardProxy, origin.address(), credential)) {
                expect(200, tunnel.opened());
                expect(200, tunnel.get(URI.create("http://" + origin.address() + "/through")));
            }
            return "CONNECT, then a page through the tunnel";
        });
        log.step("UDP tunnel opened", () -> {
            try (ProxyTunnel tunnel = ProxyTunnel.openUdp(forwardProxy, echo, proxyCredential(tokens))) {
                expect(101, tunnel.opened());
                return echoed(tunnel.datagrams());
            }
        });
        log.step("forbidden port refused", () -> {
            try (ProxyTunnel tunnel = ProxyTunnel.open(forwardProxy, "127.0.0.1:25", proxyCredential(tokens))) {
                expect(403, tunnel.opened());
            }
            return "403 for port 25";
        });
    }

    /** Sends a datagram again until its echo arrives, since any datagram may be lost. */
    private static String echoed(DatagramStream datagrams) throws IOException {
        byte[] sent = "hello".getBytes(UTF_8);
        for (int i = 0; i < DATAGRAMS; i++) {
            datagrams.send(sent);
            Optional<byte[]> reply = datagrams.receive(Duration.ofSeconds(2));
            if (reply.isPresent() && Arrays.equals(sent, reply.get())) {
                return "CONNECT-UDP, then a datagram and its echo";
            }
        }
        throw new IOException("no echo of " + DATAGRAMS + " datagrams (expected: one)");
    }

    private String proxyCredential(TokenClient tokens) throws IOException, InterruptedException {
        try (ProxyTunnel tunnel = ProxyTunnel.open(forwardProxy, origin.address(), "")) {
            return SiteClient.credential(
                    tokens.fetch(expect(407, tunnel.opened()).challenge()));
        }
    }

    /** Compares the logs of gateway and site: the site received every request logged as forwarded, and one more through the tunnel. */
    private String compareLogs() throws IOException, InterruptedException {
        long forwarded = 0;
        long seen = 0;
        for (int i = 0; i < 100; i++) { // the log line is written shortly after the response
            forwarded = lines.count("\"status\":200", "\"upstream\":\"site\"");
            seen = origin.log().stream()
                    .filter(l -> !l.endsWith("/through") && !l.endsWith(ASKED))
                    .count();
            if (forwarded == seen
                    && lines.count("\"reason\":\"spent\"") == REPLAYS
                    && lines.count("\"code\":\"destination-forbidden\"") == 1) {
                return seen + " requests forwarded and received, " + REPLAYS + " replays and 1 forbidden port logged";
            }
            Thread.sleep(20);
        }
        throw new IOException("forwarded " + forwarded + ", received by the site " + seen + ", replays logged "
                + lines.count("\"reason\":\"spent\"") + ", forbidden "
                + lines.count("\"code\":\"destination-forbidden\"")
                + " (expected: equal, " + REPLAYS + ", 1)");
    }

    private String seen(int expected) throws IOException {
        int seen = origin.log().size();
        if (seen != expected) {
            throw new IOException("the site received " + seen + " requests (expected: " + expected + ")");
        }
        return "the site has received " + seen + (seen == 1 ? " request" : " requests");
    }

    static ClientResponse expect(int status, ClientResponse response) throws IOException {
        if (response.status() != status) {
            throw new IOException("status " + response.status() + " (expected: " + status + ")");
        }
        return response;
    }

    static Map<String, String> authorization(Token token) {
        return Map.of("Authorization", SiteClient.credential(token));
    }

    private static Token tampered(Token token) throws IOException {
        byte[] bytes = token.bytes().clone();
        bytes[bytes.length - 1] ^= 1;
        Token changed = Token.parse(bytes);
        if (changed == null) {
            throw new IOException("token: not parsed (expected: the token with one bit changed)");
        }
        return changed;
    }
}
