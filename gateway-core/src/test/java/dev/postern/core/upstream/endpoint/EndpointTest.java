package dev.postern.core.upstream.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.KeyDefaults;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what responses and failures say about an endpoint, which is ejected after five failures in a row. */
class EndpointTest {

    private static final int FAILURES = 5;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Endpoint endpoint = endpoint(InetSocketAddress.createUnresolved("app", 80));

    private static Endpoint endpoint(SocketAddress address) {
        return new Endpoint(address, 3, new EndpointHealth(KeyDefaults.of(UpstreamSettings.Health.class)));
    }

    private void responds(int times, int status) {
        for (int i = 0; i < times; i++) {
            endpoint.responded(status, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, true",
        "404, true",
        "500, true",
        "501, true",
        "502, false",
        "503, false",
        "504, false",
        "505, true"
    })
    void onlyStatusOfAServerThatIsUnableIsAFailure(int status, boolean usable) {
        responds(FAILURES, status);
        assertThat(endpoint.health().usable(0)).isEqualTo(usable);
        assertThat(Endpoint.unable(status)).isEqualTo(!usable);
    }

    @Test
    void oneGoodResponseEndsARowOfFailures() {
        responds(FAILURES - 1, 503);
        responds(1, 200);
        responds(FAILURES - 1, 503);
        assertThat(endpoint.health().usable(0)).isTrue();
        responds(1, 503);
        assertThat(endpoint.health().usable(0)).isFalse();
    }

    @Test
    void anExchangeWithoutAResponseIsAFailureThatSaysNothingAboutConnects() {
        for (int i = 0; i < FAILURES; i++) {
            endpoint.failed(0);
        }
        assertThat(endpoint.health().usable(0)).isFalse();
        assertThat(endpoint.health().down(0)).isFalse();
    }

    @Test
    void tellsWhetherItRespondedSince() {
        assertThat(endpoint.respondedSince(0)).as("never").isFalse();
        endpoint.responded(503, 10 * SECOND);
        assertThat(endpoint.respondedSince(9 * SECOND)).isTrue();
        assertThat(endpoint.respondedSince(10 * SECOND)).isFalse();
        endpoint.responded(200, 20 * SECOND);
        assertThat(endpoint.respondedSince(15 * SECOND)).isTrue();
    }

    @Test
    void writesTheTimeOfAResponseEvery10Milliseconds() {
        endpoint.responded(200, SECOND);
        endpoint.responded(200, SECOND + 10_000_000);
        assertThat(endpoint.respondedSince(SECOND)).isFalse();
        endpoint.responded(200, SECOND + 10_000_001);
        assertThat(endpoint.respondedSince(SECOND + 10_000_000)).isTrue();
    }

    @Test
    void countsExchangesUnderWay() {
        endpoint.begun();
        endpoint.begun();
        endpoint.over();
        assertThat(endpoint.busy()).isEqualTo(1);
    }

    @Test
    void isRetiredOnce() {
        assertThat(endpoint.retired()).isFalse();
        endpoint.retire();
        assertThat(endpoint.retired()).isTrue();
    }

    static Stream<Arguments> names() {
        return Stream.of(
                Arguments.of(InetSocketAddress.createUnresolved("app.example", 80), "app.example:80"),
                Arguments.of(new InetSocketAddress("192.0.2.1", 80), "192.0.2.1:80"),
                Arguments.of(new InetSocketAddress("2001:db8::1", 80), "[2001:db8::1]:80"),
                Arguments.of(new DomainSocketAddress("/run/app.sock"), "/run/app.sock"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void isNamedByItsAddress(SocketAddress address, String name) {
        assertThat(endpoint(address).name()).isEqualTo(name);
    }

    @Test
    void itsWeightGrowsInASlowStart() {
        UpstreamSettings.Health plain = KeyDefaults.of(UpstreamSettings.Health.class);
        Endpoint slow = new Endpoint(
                InetSocketAddress.createUnresolved("app", 80),
                4,
                new EndpointHealth(new UpstreamSettings.Health(
                        5,
                        plain.ejection(),
                        plain.maxEjection(),
                        plain.panic(),
                        Duration.ofSeconds(10),
                        plain.check())));
        assertThat(slow.weight(0)).isEqualTo(4);
        slow.health().warm(0);
        assertThat(slow.weight(5 * SECOND)).isEqualTo(2);
        assertThat(slow.weight()).as("as configured").isEqualTo(4);
    }
}
