package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.store.RoomStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a pass that is used from another network, while the store is asked for it. A pass ends after a minute of silence. */
class PassUseTest {

    private final AdmissionFixture stage = AdmissionFixture.room();
    private final List<Consumer<AdmissionDecision>> asked = new ArrayList<>();

    /** Uses up the rate of the room, whose store responds late to questions for networks. */
    @BeforeEach
    void begin() {
        RateLimiter limiter = Objects.requireNonNull(stage.limits.limiters().find("site"));
        stage.replaceLimits(new RateLimiters(
                List.of(new RateLimiter(limiter.rule(), null, late(limiter.store()), stage.registry))));
        assertThat(stage.get("/").send().passed()).isTrue();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @SuppressWarnings("unchecked")
    private RoomStore late(RoomStore store) {
        return (RoomStore) Proxy.newProxyInstance(
                RoomStore.class.getClassLoader(), new Class<?>[] {RoomStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("network")) {
                        return asked.add((Consumer<AdmissionDecision>) arguments[3]) ? null : proxy;
                    }
                    return method.invoke(store, arguments);
                });
    }

    private String admitted() {
        AdmissionResult seen = stage.get("/").send();
        assertThat(seen.passed()).isTrue();
        seen.exchange().end();
        return seen.cookie();
    }

    private AdmissionResult use(String cookie) {
        AdmissionResult seen =
                stage.get("/").cookie(cookie).from("198.51.100.7").send();
        assertThat(asked).hasSize(1);
        assertThat(seen.passed()).as("before the store has responded").isFalse();
        return seen;
    }

    private void respond(AdmissionDecision decision) {
        asked.get(0).accept(decision);
        stage.channel.runPendingTasks();
    }

    @Test
    void passesWhenTheStoreHasResponded() {
        AdmissionResult seen = use(admitted());
        stage.advance(Duration.ofSeconds(30));
        respond(AdmissionDecision.limit(true, 0));
        assertThat(seen.passed()).isTrue();
    }

    /** The event loop, or the process, may have been stopped meanwhile; others may have the slot. */
    @ParameterizedTest
    @EnumSource(names = {"BASE", "UNKNOWN"})
    void waitsWhenThePassHasEndedMeanwhile(AdmissionDecision.Kind kind) {
        AdmissionResult seen = use(admitted());
        stage.advance(Duration.ofSeconds(62));
        assertThat(stage.get("/").send().passed()).as("the rate of the room").isTrue();
        admitted();
        admitted();
        respond(
                kind == AdmissionDecision.Kind.UNKNOWN
                        ? AdmissionDecision.unknown(1)
                        : AdmissionDecision.limit(true, 0));
        assertThat(seen.passed()).isFalse();
        assertThat(seen.exchange().outcome().refusal()).isEqualTo(Refusal.WAITING);
    }
}
