package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http1.HeadBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the end of an exchange: each listener runs once, in the order of registration. */
class ExchangeTest {

    private final Exchange exchange = TestExchanges.exchange(
            TestExchanges.UNTRUSTED,
            Objects.requireNonNull(HeadBytes.read("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")),
            List.of());
    private final List<Integer> ran = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 9})
    void runsEachListenerOnceInOrder(int listeners) {
        IntStream.range(0, listeners).forEach(i -> exchange.whenEnded(ended -> ran.add(i)));
        exchange.whenOver(() -> ran.add(listeners));

        exchange.end();
        exchange.end();

        assertThat(ran).isEqualTo(IntStream.rangeClosed(0, listeners).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void runsAListenerAtOnceWhenTheExchangeHasEnded(int before) {
        IntStream.range(0, before)
                .forEach(i -> exchange.whenEnded(ended -> {
                    ran.add(i);
                    if (i == 0) {
                        ended.whenEnded(again -> ran.add(100));
                    }
                }));

        exchange.end();
        exchange.whenEnded(ended -> ran.add(200));

        List<Integer> expected =
                new ArrayList<>(IntStream.range(0, before).boxed().toList());
        if (before > 0) {
            expected.add(1, 100);
        }
        expected.add(200);
        assertThat(ran).isEqualTo(expected);
    }
}
