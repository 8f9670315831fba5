package dev.postern.auth.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendTimes;
import dev.postern.auth.testing.TestExchange;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Trace;
import dev.postern.core.exchange.TraceContext;
import dev.postern.core.metrics.Example;
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
    void measuresEveryCheckWhateverComesOfIt(Spend result) {
        record(result, SpendTimes.NONE);

        assertThat(meters.checks().of(result.label()).count()).isEqualTo(1);
        assertThat(count("store")).isEqualTo(1);
    }

    @Test
    void thePartsSumToTheWhole() {
        long whole = record(Spend.FRESH, new SpendTimes(11, 13, 17));
        whole += record(Spend.UNKNOWN, new SpendTimes(19, 0, 0));
        whole += record(Spend.SPENT, SpendTimes.NONE);

        assertThat(sums().values().stream().mapToLong(Duration::toNanos).sum()).isEqualTo(whole);
        assertThat(sums())
                .containsEntry("queue", Duration.ofNanos(30))
                .containsEntry("write", Duration.ofNanos(13))
                .containsEntry("return", Duration.ofNanos(17));
    }

    @Test
    void aPartThatTookNoTimeIsNotCounted() {
        record(Spend.FRESH, new SpendTimes(11, 0, 0));

        assertThat(count("queue")).isEqualTo(1);
        assertThat(count("write")).isZero();
        assertThat(count("return")).isZero();
    }

    @Test
    void whatIsTracedIsAnExampleOfItsTimes() {
        TraceContext own = new TraceContext(1, 2, 3, TraceContext.SAMPLED);
        new Trace(own, 0, own.with(4)).take(exchange);
        record(Spend.FRESH, new SpendTimes(11, 0, 0));

        for (List<Example> examples : List.of(
                meters.checks().of(Spend.FRESH.label()).examples(),
                meters.parts().of("queue").examples(),
                meters.parts().of("store").examples())) {
            assertThat(examples).extracting(Example::span).containsExactly(own);
        }
        assertThat(meters.checks().of(Spend.SPENT.label()).examples()).isEmpty();
        assertThat(meters.parts().of("write").examples()).isEmpty();
    }

    /** Returns how long the meter says that it took, in nanoseconds. */
    private long record(Spend result, SpendTimes times) {
        long before = total(result);
        meters.record(exchange, attempt(result, times), 5_000, 1_005_000);
        return total(result) - before;
    }

    private long total(Spend result) {
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

    private static SpendAttempt attempt(Spend result, SpendTimes times) {
        return new SpendAttempt() {
            @Override
            public Spend result() {
                return result;
            }

            @Override
            public boolean busy() {
                return false;
            }

            @Override
            public SpendTimes times(long askedNanos, long nowNanos) {
                return times;
            }
        };
    }
}
