package dev.postern.auth.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.testing.TestExchange;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.metrics.TraceExemplar;
import dev.postern.core.route.Route;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpendMetersTest {

    private final SpendMeters meters = new SpendMeters(new SimpleMeterRegistry());
    private final Exchange exchange = TestExchange.get(
                    TestExchange.REVERSE,
                    TestExchange.route("*/", Route.Token.REQUIRED, null),
                    new EmbeddedChannel().eventLoop())
            .exchange();

    @ParameterizedTest
    @EnumSource
    void measuresEveryCheckForEachResult(SpendResult result) {
        record(result, SpendLatency.NONE);

        assertThat(meters.checks().of(result.label()).count()).isEqualTo(1);
        assertThat(count("store")).isEqualTo(1);
    }

    @Test
    void partsSumToTheTotal() {
        long total = record(SpendResult.FRESH, new SpendLatency(11, 13, 17));
        total += record(SpendResult.UNKNOWN, new SpendLatency(19, 0, 0));
        total += record(SpendResult.SPENT, SpendLatency.NONE);

        assertThat(sums().values().stream().mapToLong(Duration::toNanos).sum()).isEqualTo(total);
        assertThat(sums())
                .containsEntry("queue", Duration.ofNanos(30))
                .containsEntry("write", Duration.ofNanos(13))
                .containsEntry("return", Duration.ofNanos(17));
    }

    @Test
    void doesNotCountPartsWithoutDuration() {
        record(SpendResult.FRESH, new SpendLatency(11, 0, 0));

        assertThat(count("queue")).isEqualTo(1);
        assertThat(count("write")).isZero();
        assertThat(count("return")).isZero();
    }

    @Test
    void recordsExemplarsOfTracedRequests() {
        TraceContext own = new TraceContext(1, 2, 3, TraceContext.SAMPLED);
        new Trace(own, 0, own.with(4)).take(exchange);
        record(SpendResult.FRESH, new SpendLatency(11, 0, 0));

        for (List<TraceExemplar> exemplars : List.of(
                meters.checks().of(SpendResult.FRESH.label()).exemplars(),
                meters.parts().of("queue").exemplars(),
                meters.parts().of("store").exemplars())) {
            assertThat(exemplars).extracting(TraceExemplar::span).containsExactly(own);
        }
        assertThat(meters.checks().of(SpendResult.SPENT.label()).exemplars()).isEmpty();
        assertThat(meters.parts().of("write").exemplars()).isEmpty();
    }

    /** Returns the recorded time in nanoseconds. */
    private long record(SpendResult result, SpendLatency latency) {
        long totalBefore = total(result);
        meters.record(exchange, attempt(result, latency), 5_000, 1_005_000);
        return total(result) - totalBefore;
    }

    private long total(SpendResult result) {
        return meters.checks().of(result.label()).sum().toNanos();
    }

    private long count(String part) {
        return meters.parts().of(part).count();
    }

    private Map<String, Duration> sums() {
        Map<String, Duration> sums = new LinkedHashMap<>();
        for (List<String> part : meters.parts().series()) {
            sums.put(part.get(0), meters.parts().of(part.get(0)).sum());
        }
        return sums;
    }

    private static PendingSpend attempt(SpendResult result, SpendLatency latency) {
        return new PendingSpend() {
            @Override
            public SpendResult result() {
                return result;
            }

            @Override
            public boolean busy() {
                return false;
            }

            @Override
            public SpendLatency times(long askedNanos, long nowNanos) {
                return latency;
            }
        };
    }
}
