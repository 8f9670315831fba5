package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.flood.Flood;
import dev.postern.core.testing.flood.FloodOrigin;
import dev.postern.core.testing.flood.FloodResult;
import dev.postern.core.testing.flood.FloodTarget;
import dev.postern.core.testing.flood.Floods;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each flood for a second, or {@code -Dfloods.seconds}, against a gateway process: other clients are served, the gateway counts the
 * flood, and no resources stay in use. {@code load-tests/run Floods} measures delays of other clients and memory.
 */
@Tag("long")
@Tag("alone")
class FloodIT {

    private static final Duration EACH = Duration.ofSeconds(Long.getLong("floods.seconds", 1));

    @TempDir
    private static Path folder;

    private static FloodOrigin origin;
    private static GatewayProcess gateway;
    private static FloodTarget target;

    @BeforeAll
    static void start() throws IOException {
        origin = new FloodOrigin();
        // A machine that runs other tests concurrently causes delays of its own, and has no time for two hundred bombs.
        String settings =
                FloodTarget.SETTINGS.replace("window-timeout: 1s", "window-timeout: 1s, max-stream-errors: 20/m")
                        + "overload: {loop-lag: {shed-above: 0}}\n";
        String whole = "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\", congestion-control: reno}\n"
                + "admin: {address: \"127.0.0.1:{admin}\"}\n" + settings.formatted(origin.address());
        gateway = new GatewayProcess(folder, "flooded", whole).awaitReady();
        target = new FloodTarget(gateway.port(), gateway.admin(), gateway.pid());
        // Resources that are opened once and kept, such as class files, are not part of a flood.
        warmUp(floods().get(0));
        warmUp(floods().get(floods().size() - 1));
    }

    private static void warmUp(Flood flood) {
        try {
            FloodResult.run(flood, target, Duration.ofMillis(1), () -> 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    static List<Flood> floods() {
        return Floods.all();
    }

    @Test
    void probesGetResponsesWhileTheAdminAddressIsHeld() {
        List<RawClient> half = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                half.add(new RawClient(gateway.admin()).send("GET /readyz HTTP/1.1\r\nHost: loc"));
            }
            try (RawClient probe = new RawClient(gateway.admin())) {
                assertThat(probe.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .read()
                                .status())
                        .isEqualTo(200);
            }
        } finally {
            half.forEach(RawClient::close);
        }
    }

    @ParameterizedTest
    @MethodSource("floods")
    void othersAreServedAndNoResourcesStayInUse(Flood flood) throws InterruptedException {
        FloodResult came = FloodResult.run(flood, target, EACH, () -> 0);

        assertThat(came.firstFailure()).isEmpty();
        assertThat(came.failures()).isZero();
        assertThat(came.responded()).isPositive();
        assertThat(came.counted()).as(flood.counted()).isPositive();
        assertThat(came.descriptorsAfter()).isLessThanOrEqualTo(came.descriptorsBefore());
        assertThat(gateway.log()).doesNotContain("LEAK:").doesNotContain("Exception");
    }
}
