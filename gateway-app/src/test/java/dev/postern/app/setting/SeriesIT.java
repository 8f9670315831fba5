package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.auth.token.Base64Url;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.HighCardinalityTagsDetector;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that unusual requests create no time series: no value of a request becomes a tag. */
class SeriesIT {

    private static final int CLIENTS = 120;
    private static final int MAX_PER_NAME = 100;
    private static final int TOKEN_LENGTH = 354;

    private static final String[] SETTINGS = {
        "listeners=[{name: web, address: \"127.0.0.1:0\", congestion-control: reno}, {name: out, address: \"127.0.0.1:0\","
                + " congestion-control: reno, mode: forward, forward: default, origin-name: out.example}]",
        "log.successes=0%",
        "overload.loop-lag={shed-above: 0s, resume-below: 0s}",
        "privacy-pass.failure-budget=1000000/s",
        Site.issuer(),
        "rate-limits=[{name: each, rate: 1000/s, burst: 100000, per: client-address}]",
        "routes=[{path: /, upstream: app, token: off, rate-limit: each}, {path: /paid, upstream: app, token: required}]",
        "forward={default: {token: off, allow-ports: [443], allow-private: [127.0.0.0/8]}}"
    };

    private final Random random = new Random(6);
    private final Site site = Site.with(SETTINGS);
    private int requests;

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void clientsCreateNoSeries() {
        sendRequests(0);
        Set<String> expected = series();

        for (int i = 1; i <= CLIENTS; i++) {
            sendRequests(i);
        }

        assertThat(series()).isEqualTo(expected);
        try (HighCardinalityTagsDetector detector =
                new HighCardinalityTagsDetector(site.gateway().meters(), MAX_PER_NAME, Duration.ofHours(1))) {
            assertThat(detector.findFirst()).isEmpty();
        }
    }

    @Test
    void upstreamStatusesCreateALimitedNumberOfSeries() {
        site.origin.behave((request, socket) -> TestOrigin.Behaviour.raw(
                        "HTTP/1.1 " + request.line().split("[ /]")[2] + " Odd\r\nContent-Length: 0\r\n\r\n")
                .response(request, socket));
        requestEveryStatus();
        Set<String> expected = series();

        requestEveryStatus();

        assertThat(series()).isEqualTo(expected);
        assertThat(expected.stream().filter(one -> one.startsWith("postern_exchanges_total")))
                .hasSizeLessThanOrEqualTo(802);
    }

    private void requestEveryStatus() {
        try (RawClient client = web("127.0.0.1")) {
            for (int status = 200; status < 1000; status++) {
                assertThat(send(client, "GET /" + status, "site.example", "").status())
                        .isEqualTo(status);
            }
        }
        for (String odd : List.of("099", "1000")) {
            try (RawClient client = web("127.0.0.1")) {
                assertThat(send(client, "GET /" + odd, "site.example", "").status())
                        .isEqualTo(502);
            }
        }
    }

    /** Sends the requests of one client; its address, hosts, paths, methods, tokens and destinations are unique. */
    private void sendRequests(int number) {
        String address = "127." + (1 + number / 250) + ".7." + (1 + number % 250);
        try (RawClient client = web(address)) {
            String host = "host-" + number + ".example";
            assertThat(send(client, "GET /path-" + number + "?query=" + number, host, "")
                            .status())
                    .isEqualTo(200);
            assertThat(send(client, "METHOD-" + number + " /", host, "Cookie: c=" + number + "\r\n")
                            .status())
                    .isEqualTo(200);
            RawClient.Response challenge = send(client, "GET /paid", host, "");
            assertThat(challenge.status()).isEqualTo(401);
            String good = Site.MINT.response(challenge.field("WWW-Authenticate"));
            pay(client, host, good, 200);
            pay(client, host, good, 401);
            pay(client, host, forged(good), 401);
            pay(client, host, foreign(), 401);
            pay(client, host, "PrivateToken token=@" + number, 400);
            pay(client, host, "Scheme-" + number + " abc", 401);
        }
        try (RawClient client = web(address)) {
            assertThat(send(client, "GET /%z" + number, "host.example", "").status())
                    .isEqualTo(400);
        }
        connect(address, "10.1." + number / 250 + "." + number % 250 + ":443", 403);
        connect(address, "port.example:" + (1000 + number), 403);
        connect(address, "127.9." + number / 250 + "." + (1 + number % 250) + ":443", 502);
    }

    private void connect(String address, String destination, int status) {
        try (RawClient client =
                new RawClient(address, site.gateway().listener("out").getPort())) {
            requests++;
            client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n");
            assertThat(client.readConnect().status()).as(destination).isEqualTo(status);
        }
    }

    private void pay(RawClient client, String host, String credentials, int status) {
        RawClient.Response response = send(client, "GET /paid", host, "Authorization: " + credentials + "\r\n");
        assertThat(response.status()).as(response.body()).isEqualTo(status);
    }

    private RawClient.Response send(RawClient client, String line, String host, String fields) {
        requests++;
        return client.send(line + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n")
                .read();
    }

    private RawClient web(String address) {
        return new RawClient(address, site.port());
    }

    /** Returns the credentials with another signature. */
    private String forged(String credentials) {
        int start = credentials.indexOf('"') + 1;
        String text = credentials.substring(start, credentials.indexOf('"', start));
        byte[] token = Objects.requireNonNull(Base64Url.decode(text));
        token[token.length - 1] ^= (byte) (1 + random.nextInt(255));
        return "PrivateToken token=\"" + Base64Url.encode(token) + "\"";
    }

    /** Returns a token of an unknown key and an unknown challenge. */
    private String foreign() {
        byte[] token = new byte[TOKEN_LENGTH];
        random.nextBytes(token);
        token[0] = 0;
        token[1] = 2;
        return "PrivateToken token=\"" + Base64Url.encode(token) + "\"";
    }

    /** Returns the series once all exchanges are counted; without those of the JVM and the hidden context, which change without requests. */
    private Set<String> series() {
        await().untilAsserted(() -> assertThat(counted()).isEqualTo(requests));
        return site.metrics()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .filter(line -> !line.startsWith("jvm_") && !line.startsWith("postern_context_drift"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private long counted() {
        return (long) site.gateway().meters().find("postern.exchanges").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
