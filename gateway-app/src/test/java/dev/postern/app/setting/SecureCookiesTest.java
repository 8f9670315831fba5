package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the cookies of clients whose TLS ends at a load balancer before the gateway. */
class SecureCookiesTest {

    private static final String TRUSTED = "listeners.web.trusted-proxies=[127.0.0.9]";
    private static final String BALANCER = "127.0.0.9";
    private static final String STRANGER = "127.0.0.8";

    /** Client of the balancer, as the balancer reports it; the same from both addresses, so that cookies are bound to the same client. */
    private static final String CLIENT = "X-Forwarded-For: 127.0.0.8";

    private static final String ROOM_ROUTE = "routes=[{upstream: app, token: off, rate-limit: site}]";
    private static final String ROOM =
            "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1}}]";

    private static final String HTTPS = "X-Forwarded-Proto: https";

    /** Protocol between balancer and gateway. */
    enum Connection {
        HTTP1 {
            @Override
            Reply get(MemorySite site, String from, String... fields) {
                try (RawClient client = site.connect(from)) {
                    RawClient.Response response =
                            client.send(Site.request("GET", "/", fields)).read();
                    return new Reply(
                            response.status(), response.field("Set-Cookie"), response.field("WWW-Authenticate"));
                }
            }
        },
        HTTP2 {
            @Override
            Reply get(MemorySite site, String from, String... fields) {
                String[] pairs = Stream.of(fields)
                        .flatMap(field -> Stream.of(field.split(": ", 2)))
                        .toArray(String[]::new);
                for (int i = 0; i < pairs.length; i += 2) {
                    pairs[i] = pairs[i].toLowerCase(Locale.ROOT);
                }
                try (FrameClient client = site.connect2(from)) {
                    FrameClient.Response response = client.get(1, "/", pairs).response(1);
                    return new Reply(Integer.parseInt(response.status()), response.field("set-cookie"), "");
                }
            }
        };

        abstract Reply get(MemorySite site, String from, String... fields);
    }

    private record Reply(int status, String setCookie, String challenge) {

        String cookie() {
            return "Cookie: " + setCookie.split(";", 2)[0];
        }
    }

    @ParameterizedTest
    @EnumSource
    void sessionOfAClientWithTlsIsSecure(Connection connection) {
        try (MemorySite site = MemorySite.with("routes=[{upstream: app, token: session}]", Site.issuer(), TRUSTED)) {
            String token = "Authorization: " + Site.MINT.response(challenge(site, BALANCER));

            Reply sold = get(connection, site, BALANCER, HTTPS, token);

            assertThat(sold.status()).isEqualTo(200);
            assertThat(sold.setCookie())
                    .startsWith("__Host-postern-session=")
                    .contains("; Path=/;", "; Secure;", "; HttpOnly");
            assertThat(get(connection, site, BALANCER, HTTPS, sold.cookie()).status())
                    .as("its session")
                    .isEqualTo(200);
            assertThat(get(connection, site, BALANCER, HTTPS, unprefixed(sold)).status())
                    .as("under a name that other hosts can set")
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ticketOfAClientWithTlsIsSecure(Connection connection) {
        try (MemorySite site = MemorySite.with(ROOM_ROUTE, ROOM, TRUSTED)) {
            Reply first = get(connection, site, BALANCER, HTTPS);
            Reply inside = get(connection, site, BALANCER, HTTPS);

            assertThat(first.status()).as("the request of the base rate").isEqualTo(200);
            assertThat(inside.status()).as("the only session").isEqualTo(200);
            assertThat(inside.setCookie())
                    .startsWith("__Host-postern-ticket-")
                    .contains("; Path=/;", "; Secure;", "; HttpOnly");
            assertThat(get(connection, site, BALANCER, HTTPS, inside.cookie()).status())
                    .as("its pass")
                    .isEqualTo(200);
            Reply waiting = get(connection, site, BALANCER, HTTPS, unprefixed(inside));
            assertThat(waiting.status())
                    .as("under a name that other hosts can set")
                    .isEqualTo(503);
            assertThat(waiting.setCookie()).startsWith("__Host-postern-ticket-").contains("; Secure;");
        }
    }

    @ParameterizedTest
    @EnumSource
    void noClientCanClaimTls(Connection connection) {
        String[] claims = {HTTPS, "Forwarded: proto=https", "X-Forwarded-Ssl: on"};
        try (MemorySite site = MemorySite.with("routes=[{upstream: app, token: session}]", Site.issuer(), TRUSTED)) {
            String token = Site.MINT.response(challenge(site, STRANGER));

            Reply sold = get(connection, site, STRANGER, claims[0], claims[1], claims[2], "Authorization: " + token);

            assertThat(sold.status()).isEqualTo(200);
            assertThat(sold.setCookie()).startsWith("postern-session=").doesNotContain("Secure");
            assertThat(get(connection, site, STRANGER, sold.cookie()).status())
                    .as("its session, without a claim")
                    .isEqualTo(200);
        }
        try (MemorySite site = MemorySite.with(ROOM_ROUTE, ROOM, TRUSTED)) {
            assertThat(get(connection, site, STRANGER, claims).setCookie())
                    .startsWith("postern-ticket-")
                    .doesNotContain("Secure");
        }
    }

    private static String challenge(MemorySite site, String from) {
        return get(Connection.HTTP1, site, from, HTTPS).challenge();
    }

    private static Reply get(Connection connection, MemorySite site, String from, String... fields) {
        String[] all = Stream.concat(Stream.of(CLIENT), Arrays.stream(fields)).toArray(String[]::new);
        return connection.get(site, from, all);
    }

    private static String unprefixed(Reply reply) {
        return reply.cookie().replace("__Host-", "");
    }
}
