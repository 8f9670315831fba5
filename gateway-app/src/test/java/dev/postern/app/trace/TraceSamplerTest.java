package dev.postern.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import io.netty.channel.DefaultEventLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TraceSamplerTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();

    @AfterEach
    void stop() {
        loop.shutdownGracefully();
    }

    private <T> T onLoop(Callable<T> work) {
        return loop.submit(work).syncUninterruptibly().getNow();
    }

    private @Nullable Trace choose(double share, @Nullable TraceContext parent) {
        TraceSampler sampler = new TraceSampler(share, () -> 42);
        return onLoop(() -> sampler.of(parent, loop));
    }

    @Test
    void tracesAShareOfRequestsWithoutParent() {
        TraceSampler sampler = new TraceSampler(0.1, () -> 42);

        int traced = onLoop(() -> {
            int n = 0;
            for (int i = 0; i < 100_000; i++) {
                n += sampler.of(null, loop) == null ? 0 : 1;
            }
            return n;
        });

        assertThat(traced).isBetween(9_500, 10_500);
        assertThat(choose(0, null)).isNull();
        assertThat(choose(1, null)).isNotNull();
    }

    @Test
    void aNewTraceHasNewIds() {
        Set<String> traces = new HashSet<>();
        Set<String> spans = new HashSet<>();
        TraceSampler sampler = new TraceSampler(1, () -> 42);
        for (int i = 0; i < 1000; i++) {
            Trace trace = onLoop(() -> sampler.of(null, loop));
            assertThat(trace).isNotNull();
            assertThat(trace.parent()).isZero();
            assertThat(trace.own().sampled()).isTrue();
            assertThat(trace.upstream().traceId()).isEqualTo(trace.own().traceId());
            traces.add(trace.own().traceId());
            spans.add(trace.own().spanId());
            spans.add(trace.upstream().spanId());
        }
        assertThat(traces).hasSize(1000);
        assertThat(spans).hasSize(2000);
    }

    @Test
    void followsTheDecisionOfTheParent() {
        TraceContext parent = new TraceContext(1, 2, 3, TraceContext.SAMPLED | 2);

        Trace trace = choose(0, parent);

        assertThat(trace).isNotNull();
        assertThat(trace.parent()).isEqualTo(3);
        assertThat(trace.own().traceId()).isEqualTo(parent.traceId());
        assertThat(trace.own().span()).isNotIn(3L, trace.upstream().span());
        assertThat(trace.upstream().flags()).isEqualTo(3);
        assertThat(choose(1, new TraceContext(1, 2, 3, 0))).isNull();
    }
}
