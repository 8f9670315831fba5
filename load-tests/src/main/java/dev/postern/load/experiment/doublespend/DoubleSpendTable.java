package dev.postern.load.experiment.doublespend;

import static dev.postern.load.experiment.doublespend.Results.NETTY;
import static dev.postern.load.experiment.doublespend.Results.SPYMEMCACHED;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.worker.Checks;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Table of the experiment. A row has one value per rate; it meets its goal if the median of the rounds does at each rate, and values
 * that do not are bold.
 */
final class DoubleSpendTable {
    private static final double MILLI = 1_000;
    private static final Goal BELOW_ONE_MILLI = Goal.lessThan(MILLI);
    private static final Goal P99 = Goal.lessThan(2 * MILLI);
    private static final Goal FAILED_PERCENT = Goal.atMost(0.1);
    /**
     * A command in one segment, not in two: repeats, and the gateway's regular checks of the store, are a few percent
     * of all segments at the lowest rate.
     */
    private static final Goal ONE_SEGMENT = Goal.lessThan(1.5);

    private static final Goal RATIO_P99 = Goal.atMost(3);

    /** The delayed acknowledgement: 40 ms, later by up to two ticks of the kernel's clock. */
    private static final double MIN_DELAY = 40;

    private static final double MAX_DELAY = 48;

    private final Table table = new Table();
    private final Results results;

    DoubleSpendTable(Results results) {
        this.results = results;
    }

    Table table() {
        table.note("checks per second", each(rate -> "%,d".formatted(rate)));
        causes();
        segments();
        gateway(SPYMEMCACHED, Goal.atMost(2));
        gateway(NETTY, Goal.atMost(1.5));
        note(
                "three writes, Nagle / gateway, netty, medians",
                round -> round.micros(Variant.NAGLE) / round.of(NETTY).timer().micros(50));
        return table;
    }

    private void causes() {
        delayed(Variant.NAGLE);
        fast("three writes, TCP_NODELAY: median us", round -> round.micros(Variant.NO_DELAY));
        fast("one write: median us", round -> round.micros(Variant.ONE_WRITE));
        fast(
                "version before each check: version alone, median us",
                round -> Checks.micros(round.of(Variant.VERSION).versions(), 50));
        delayed(Variant.VERSION);
        delayed(Variant.POOL);
        note(Variant.POOL.label() + ": wait, median ms", round -> wait(round, Variant.POOL) / MILLI);
        int lowest = results.rates().get(0);
        table.goal(
                "%s: wait at %,d/s, median us".formatted(Variant.POOL.label(), lowest),
                results.spread(lowest, round -> wait(round, Variant.POOL)),
                BELOW_ONE_MILLI);
        fast(Variant.POOL_ONE_WRITE.label() + ": wait, median us", round -> wait(round, Variant.POOL_ONE_WRITE));
    }

    private void segments() {
        note(
                "segments per check: three writes, Nagle",
                round -> round.of(Variant.NAGLE).segmentsEach());
        note(
                "segments per check: three writes, TCP_NODELAY",
                round -> round.of(Variant.NO_DELAY).segmentsEach());
        goal(
                "segments per check: one write",
                round -> round.of(Variant.ONE_WRITE).segmentsEach(),
                ONE_SEGMENT);
    }

    private void gateway(String client, Goal ratio) {
        String name = "gateway, " + client + ": ";
        fast(name + "check, median us", round -> round.of(client).timer().micros(50));
        int highest = results.rates().get(results.rates().size() - 1);
        table.goal(
                name + "check, p99 us at %,d/s".formatted(highest),
                results.spread(highest, round -> round.of(client).timer().micros(99)),
                P99);
        goal(
                name + "check / one write, medians",
                round -> round.of(client).timer().micros(50) / round.micros(Variant.ONE_WRITE),
                ratio);
        table.goal(
                name + "check / one write, p99 at %,d/s".formatted(highest),
                results.spread(
                        highest,
                        round -> round.of(client).timer().micros(99)
                                / Checks.micros(round.of(Variant.ONE_WRITE).times(), 99)),
                RATIO_P99);
        goal(name + "segments per check", round -> round.of(client).segmentsEach(), ONE_SEGMENT);
        row(
                name + "checks that the timer counted, percent",
                round -> round.of(client).timedPercent(),
                "100 each",
                percent -> percent == 100);
        goal(
                name + "requests refused or failed, percent",
                round -> round.of(client).failedPercent(),
                FAILED_PERCENT);
        fast(
                name + "whole request from outside, median us",
                round -> round.of(client).outside().dueP50());
        note(
                name + "whole request from outside, p99 us",
                round -> round.of(client).outside().dueP99());
    }

    private static double wait(Round round, Variant variant) {
        return Checks.micros(round.of(variant).waits(), 50);
    }

    private void delayed(Variant variant) {
        row(
                variant.label() + ": median ms",
                round -> round.micros(variant) / MILLI,
                "40.0 to 48.0 each",
                millis -> millis >= MIN_DELAY && millis <= MAX_DELAY);
    }

    private void fast(String figure, ToDoubleFunction<Round> value) {
        goal(figure, value, BELOW_ONE_MILLI);
    }

    private void goal(String figure, ToDoubleFunction<Round> value, Goal goal) {
        row(figure, value, goal + " each", goal::met);
    }

    private void note(String figure, ToDoubleFunction<Round> value) {
        table.note(figure, each(rate -> results.spread(rate, value).toString()));
    }

    private void row(String figure, ToDoubleFunction<Round> value, String goal, DoublePredicate met) {
        List<Spread> spreads = results.rates().stream()
                .map(rate -> results.spread(rate, value))
                .toList();
        String text = spreads.stream()
                .map(spread -> met.test(spread.median()) ? spread.toString() : "**" + spread + "**")
                .collect(Collectors.joining("; "));
        table.verdict(
                figure, text, goal, spreads.stream().mapToDouble(Spread::median).allMatch(met));
    }

    private String each(IntFunction<String> value) {
        return results.rates().stream().map(value::apply).collect(Collectors.joining("; "));
    }
}
