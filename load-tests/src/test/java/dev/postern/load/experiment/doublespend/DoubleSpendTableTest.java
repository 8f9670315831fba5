package dev.postern.load.experiment.doublespend;

import static dev.postern.load.experiment.doublespend.Results.NETTY;
import static dev.postern.load.experiment.doublespend.Rounds.checks;
import static dev.postern.load.experiment.doublespend.Rounds.gateway;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import dev.postern.load.measure.Table.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoubleSpendTableTest {
    @Test
    void meetsAllGoals() {
        assertThat(missed(new Rounds())).isEmpty();
    }

    @Test
    void missesTheDelayIfTheSocketsDoNotDelay() {
        assertThat(missed(new Rounds().with(Variant.NAGLE, checks(120, 20, 300))))
                .containsExactly("three writes, Nagle: median ms");
    }

    @Test
    void missesTheDelayIfChecksQueueForAnotherCause() {
        assertThat(missed(new Rounds().with(Variant.NAGLE, checks(49_000, 20, 200))))
                .containsExactly("three writes, Nagle: median ms");
    }

    @Test
    void doesNotRejectThePoolIfChecksWaitForItAtTheLowestRate() {
        assertThat(missed(new Rounds().with(Variant.POOL, checks(44_000, 40_000, 200))))
                .containsExactly("three writes, Nagle, 20 connections: wait at 20/s, median us");
    }

    @Test
    void doesNotRejectVersionIfItTakesTheTime() {
        assertThat(missed(new Rounds().with(Variant.VERSION, checks(44_000, 80_000, 300))))
                .containsExactly("version before each check: version alone, median us");
    }

    @Test
    void missesOneSegmentPerCheck() {
        assertThat(missed(new Rounds().with(Variant.ONE_WRITE, checks(100, 20, 150))))
                .containsExactly("segments per check: one write");
        assertThat(missed(new Rounds().with(NETTY, gateway(100, 100, 400, 150))))
                .containsExactly("gateway, netty: segments per check");
    }

    @Test
    void missesTheGatewaysGoalsIfItsClientIsSlow() {
        assertThat(missed(new Rounds().with(NETTY, gateway(60_000, 100, 46_000, 200))))
                .containsExactly(
                        "gateway, netty: check, median us",
                        "gateway, netty: check, p99 us at 5,000/s",
                        "gateway, netty: check / one write, medians",
                        "gateway, netty: check / one write, p99 at 5,000/s",
                        "gateway, netty: segments per check",
                        "gateway, netty: whole request from outside, median us");
    }

    @Test
    void missesIfTheTimerCountsASampleOrNothing() {
        assertThat(missed(new Rounds().with(NETTY, gateway(100, 99, 400, 90))))
                .containsExactly("gateway, netty: checks that the timer counted, percent");
        assertThat(missed(new Rounds().with(NETTY, gateway(100, 0, 400, 90))))
                .contains("gateway, netty: check, median us", "gateway, netty: check, p99 us at 5,000/s");
    }

    @Test
    void showsAValuePerRateAndTheMissedOnesBold() {
        Table table = new DoubleSpendTable(new Rounds()
                        .with(Variant.NO_DELAY, checks(1_000, 20, 300))
                        .results())
                .table();

        assertThat(table.rows())
                .contains(
                        new Row("checks per second", "20; 5,000", "", ""),
                        new Row("one write: median us", "100 [100..100]; 100 [100..100]", "< 1,000 each", "MET"),
                        new Row(
                                "three writes, TCP_NODELAY: median us",
                                "**1,000 [1,000..1,000]**; **1,000 [1,000..1,000]**",
                                "< 1,000 each",
                                "MISSED"));
    }

    private static List<String> missed(Rounds rounds) {
        return new DoubleSpendTable(rounds.results())
                .table().rows().stream()
                        .filter(row -> row.verdict().equals("MISSED"))
                        .map(Row::figure)
                        .toList();
    }
}
