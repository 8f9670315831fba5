package dev.postern.core.http2.guard;

import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.http2.FrameTable;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestOrigin.Behaviour;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests floods beside honest clients, and that a client past a limit receives GOAWAY with its name; {@link FloodTableTest} has every flood,
 * and what is none.
 */
@ExtendWith(LeakExtension.class)
class AbuseLimitsIT {

    private static final ConnectionSettings LIMITS = TestLimits.CLIENT;
    private static final String HOLD = FrameTable.HOLD;
    private static final int LENGTH = 200_000;

    private static TestOrigin origin;
    private static CoreGateway gateway;

    @BeforeAll
    static void start() {
        origin = new TestOrigin();
        Behaviour big = Behaviour.ok("x".repeat(LENGTH));
        origin.behave((request, socket) -> {
            if (!request.line().contains(HOLD)) {
                big.response(request, socket);
            }
        });
        gateway = new CoreGateway(Setup.of(origin.address()).limits(LIMITS).http2(FloodTable.FEW));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    /** Returns the first flood of each limit. */
    static Collection<FloodTable.Flood> floods() {
        Map<AbuseLimit, FloodTable.Flood> first = new LinkedHashMap<>();
        FloodTable.all().forEach(flood -> first.putIfAbsent(flood.limit(), flood));
        return first.values();
    }

    @ParameterizedTest
    @MethodSource("floods")
    void closesTheConnectionWithTheLimitsName(FloodTable.Flood flood) throws InterruptedException {
        int budgetsBefore = gateway.budgets().size();
        HonestClient honest = new HonestClient(gateway.port(), LENGTH);
        try (FrameClient client = FrameClient.connect(gateway.port(), flood.settings())) {
            flood.client().accept(client);

            assertEnded(client, flood.limit());
        }
        honest.finish();
        assertThat(gateway.budgets().subList(budgetsBefore, gateway.budgets().size()))
                .containsExactly(flood.limit());
    }

    private static void assertEnded(FrameClient client, AbuseLimit limit) {
        Frame end = client.await(GOAWAY);
        assertThat(end.error()).isEqualTo("ENHANCE_YOUR_CALM");
        assertThat(end.debug()).isEqualTo(limit.label());
        assertThat(client.closedByPeer()).isTrue();
    }

    @Test
    void closesAConnectionThatIsNotReadDespiteOpenWindows() {
        TestOrigin large = new TestOrigin();
        large.behave(Behaviour.ok("x".repeat(24_000_000))); // more than the capacity of the sockets between
        try (CoreGateway other =
                        new CoreGateway(Setup.of(large.address()).limits(LIMITS).http2(FloodTable.FEW));
                FrameClient client = FrameClient.connect(other.port(), 4, 1 << 30)) {
            client.await(SETTINGS); // and acknowledges, else the connection would be closed for that
            client.window(0, 1 << 30).get(1, "/");
            await().until(() -> !other.budgets().isEmpty());
            assertThat(other.budgets()).containsExactly(AbuseLimit.WINDOW_TIMEOUT);
            await().until(() -> other.server().connections() == 0);
            assertThat(other.metrics().closed(Why.STALLED)).isZero();
        } finally {
            large.close();
        }
    }

    /** The attacker sends ten times what the limit of a minute is; the other client sends what one that leaves sends. */
    @Test
    void servesOthersBesideAFlood() {
        try (CoreGateway ordinary = new CoreGateway(Setup.of(origin.address()).limits(LIMITS));
                FrameClient attacker = FrameClient.connect(ordinary.port());
                FrameClient honest = FrameClient.connect(ordinary.port(), 4, 1 << 20)) {
            honest.get(1, "/").window(0, LENGTH);
            attacker.bytes(FloodTable.many(6_000, FrameClient.raw(GOAWAY, 0, 0, new byte[8])));
            assertThat(honest.response(1).length()).isEqualTo(LENGTH);
            assertEnded(attacker, AbuseLimit.GOAWAYS);
            honest.get(3, "/")
                    .window(0, LENGTH)
                    .frame(GOAWAY, 0, 0, new byte[8])
                    .frame(GOAWAY, 0, 0, new byte[8]);
            assertThat(honest.response(3).length()).isEqualTo(LENGTH);
            assertThat(ordinary.budgets()).containsExactly(AbuseLimit.GOAWAYS);
        }
    }
}
