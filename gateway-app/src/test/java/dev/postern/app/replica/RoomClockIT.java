package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.app.replica.PolledRoom.Outcome;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests gateway processes and Redis whose wall clocks step by an hour, and which are stopped for longer than an absence: the order of
 * those that kept polling stays, and the room has never one session too many.
 */
@Tag("faults")
@Tag("long")
class RoomClockIT {

    private static final int PEOPLE = 8;
    private static final int HOUR = 3_600;

    /**
     * A pause is longer than an absence, by less than the 10 s after which a room omits a silent node: a busy machine prolongs it. A client whose
     * gateway is stopped hears nothing meanwhile, and is judged like the others.
     */
    private static final Duration PAUSE = Duration.ofSeconds(22);

    /**
     * A gateway reads late what the room decided while, or just after, it was stopped. Who is first in the queue then has lost its turn if the pass
     * ended unheard, as it does by silence or at its end, and would be last. So both leave time for several responses of a busy machine.
     */
    private static final PolledRoom.Rules RULES = new PolledRoom.Rules(1, 8_000, 20_000, 120_000, 800, 4_000);

    @TempDir
    private Path folder;

    private SteppedClock clock;
    private ServerProcess redis;
    private PolledRoom room;

    /** The gateways and Redis run on a host whose clock is set. */
    @BeforeEach
    void start() throws IOException {
        clock = new SteppedClock(folder);
        redis = clock.redis();
        redis.start();
        Launch launch = new Launch(Launch.FRUGAL.prefix(), Launch.FRUGAL.flags(), clock.environment());
        room = new PolledRoom(folder, RULES, redis.address(), launch);
    }

    @AfterEach
    void close() throws InterruptedException {
        room.close();
        redis.close();
    }

    @Test
    void stepsOfAnHourChangeNeitherOrderNorBound() throws IOException {
        try (GatewayProcess one = room.gateway("one", PolledRoom.REDIS, 2);
                GatewayProcess two = room.gateway("two", PolledRoom.REDIS, 2)) {
            room.open(one);
            room.arrive(PEOPLE, one, two);
            step();
            assertOrderAndBound("steps of +1 h, -2 h, +1 h");
        }
    }

    @Test
    void stepsOfAnHourChangeNothingInMemory() throws IOException {
        try (GatewayProcess gateway = room.gateway("one", PolledRoom.MEMORY, 1)) {
            room.open(gateway);
            room.arrive(PEOPLE, gateway);
            step();
            assertOrderAndBound("steps in memory");
        }
    }

    private void step() {
        room.awaitServed(2);
        clock.step(HOUR);
        room.awaitServed(4);
        clock.step(-HOUR);
        room.awaitServed(6);
        clock.step(0);
    }

    @Test
    void aStoppedGatewayChangesNeitherOrderNorBound() throws Exception {
        try (GatewayProcess one = room.gateway("one", PolledRoom.REDIS, 2);
                GatewayProcess two = room.gateway("two", PolledRoom.REDIS, 2)) {
            room.open(one);
            room.arrive(PEOPLE, one, two);
            room.awaitServed(3);
            one.freeze();
            PolledRoom.last(PAUSE);
            one.thaw();
            assertOrderAndBound("one of two gateways stopped");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PolledRoom.MEMORY, PolledRoom.REDIS})
    void aStoppedSingleGatewayChangesNeitherOrderNorBound(String store) throws Exception {
        try (GatewayProcess gateway = room.gateway("one", store, 1)) {
            room.open(gateway);
            room.arrive(PEOPLE, gateway);
            room.awaitServed(3);
            gateway.freeze();
            PolledRoom.last(PAUSE);
            gateway.thaw();
            assertOrderAndBound("the gateway stopped, " + store);
        }
    }

    @Test
    void aStoppedRedisChangesNeitherOrderNorBound() throws Exception {
        try (GatewayProcess one = room.gateway("one", PolledRoom.REDIS, 2);
                GatewayProcess two = room.gateway("two", PolledRoom.REDIS, 2)) {
            room.open(one);
            room.arrive(PEOPLE, one, two);
            room.awaitServed(3);
            redis.freeze();
            PolledRoom.last(PAUSE);
            redis.thaw();
            assertOrderAndBound("Redis stopped");
        }
    }

    private void assertOrderAndBound(String fault) {
        Outcome outcome = room.outcome(fault);
        SoftAssertions.assertSoftly(all -> {
            all.assertThat(outcome.order()).hasSize(PEOPLE);
            all.assertThat(outcome.tau()).as("order").isGreaterThanOrEqualTo(0.99);
            all.assertThat(outcome.peak()).as("concurrent sessions").isOne();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {PolledRoom.MEMORY, PolledRoom.REDIS})
    void aStepBackDelaysNoLimitLongerThanItsInterval(String store) throws IOException {
        try (GatewayProcess gateway = room.gateway("one", store, 1, "rate: 1/s, burst: 2")) {
            Awaitility.await().until(() -> ask(gateway).status() == 429);
            for (int seconds : List.of(-600, -2 * HOUR, HOUR, 0)) {
                clock.step(seconds);
                Awaitility.await().until(() -> {
                    RawClient.Response response = ask(gateway);
                    if (response.status() == 429) {
                        assertThat(response.field("RateLimit")) // Retry-After is spread at random
                                .as("after a step to %d s", seconds)
                                .endsWith(";t=1");
                    }
                    return response.status() == 200;
                });
                Awaitility.await().until(() -> ask(gateway).status() == 429);
            }
        }
    }

    private static RawClient.Response ask(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.port())) {
            return client.get("/");
        }
    }
}
