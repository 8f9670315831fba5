package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which bodies have a minimum rate, and when the guard looks at it. */
class BodyRateGuardTest {

    private static final Duration PERIOD = Duration.ofSeconds(60);

    private final ExchangeFixture client = new ExchangeFixture().post().minBodyRate(100);
    private int slow;

    private BodyRateGuard guard(boolean multiplexed) {
        return BodyRateGuard.of(client.exchange(), multiplexed, () -> slow++);
    }

    /** Tunnels may be silent, and gRPC calls between two messages; a content type alone makes no gRPC call. */
    @ParameterizedTest
    @CsvSource({
        "text/plain, 1, POST, '', false, true",
        "'', 2, POST, '', true, true",
        "application/grpc, 2, POST, '', true, false",
        "Application/GRPC+proto, 2, POST, '', true, false",
        "application/grpc, 2, POST, '', false, true",
        "application/grpc, 1, POST, '', true, true",
        "text/plain, 2, POST, '', true, true",
        "'', 2, CONNECT, websocket, true, false",
        "'', 2, CONNECT, '', true, false",
        "'', 1, POST, websocket, false, true",
        "'', 1, CONNECT, '', false, true"
    })
    void guardsBodiesThatMayNotBeSilent(
            String type, int version, String method, String upgrade, boolean multiplexed, boolean guarded) {
        client.request().method(Method.of(method)).majorVersion(version).upgrade(upgrade);
        if (!type.isEmpty()) {
            client.request().add(FieldName.CONTENT_TYPE, type);
        }
        guard(multiplexed);
        client.pass(PERIOD);
        assertThat(slow).isEqualTo(guarded ? 1 : 0);
    }

    @Test
    void aRouteWithoutARateHasNoGuard() {
        ExchangeFixture free = new ExchangeFixture().post();
        assertThat(BodyRateGuard.of(free.exchange(), false, () -> slow++)).isSameAs(BodyRateGuard.NONE);
    }

    @Test
    void looksAgainAfterEachPeriod() {
        BodyRateGuard guard = guard(false);
        for (int i = 0; i < 3; i++) {
            guard.received(6000);
            client.pass(PERIOD);
            assertThat(slow).isZero();
        }
        guard.received(5999);
        client.pass(PERIOD.minusNanos(1));
        assertThat(slow).isZero();
        client.pass(Duration.ofNanos(1));
        assertThat(slow).isEqualTo(1);
        client.pass(PERIOD.multipliedBy(3));
        assertThat(slow).as("once").isEqualTo(1);
    }

    @Test
    void aClientWithoutAWindowGetsANewPeriod() {
        guard(false);
        client.body().block();
        client.pass(PERIOD);
        client.pass(PERIOD);
        assertThat(slow).isZero();
    }

    @Test
    void doesNotCountTimeInWhichTheGatewayDoesNotRead() {
        BodyRateGuard guard = guard(false);
        client.pass(Duration.ofSeconds(20));
        guard.shut();
        client.pass(PERIOD.multipliedBy(10));
        guard.open();
        assertThat(slow).isZero();
        client.pass(PERIOD);
        client.pass(PERIOD);
        assertThat(slow).isEqualTo(1);
    }

    @Test
    void stopsForGood() {
        guard(false).stop();
        client.pass(PERIOD);
        assertThat(slow).isZero();
    }

    @Test
    void noGuardDoesNothing() {
        BodyRateGuard.NONE.received(1);
        BodyRateGuard.NONE.shut();
        BodyRateGuard.NONE.open();
        BodyRateGuard.NONE.stop();
        client.pass(PERIOD);
        assertThat(slow).isZero();
    }
}
