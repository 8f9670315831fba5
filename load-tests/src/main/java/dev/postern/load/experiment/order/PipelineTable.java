package dev.postern.load.experiment.order;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Known;
import dev.postern.load.measure.Table;
import dev.postern.load.worker.Pipelined;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of the pipelined requests. */
record PipelineTable(PipelineSettings settings, List<PipelineRound> rounds) {
    static final Goal SECONDS = Goal.atMost(0.35);
    static final Goal CORES = Goal.atLeast(1.6);

    private static final Set<String> VARIANTS =
            Variant.ALL.stream().map(Variant::toString).collect(Collectors.toUnmodifiableSet());

    PipelineTable {
        rounds = List.copyOf(rounds);
    }

    void addTo(Table table) {
        addSlow(table);
        addFast(table);
        addTokens(table);
        addOrder(table);
    }

    /** Returns the median over the rounds. */
    double median(ToDoubleFunction<PipelineRound> figure) {
        return interval(figure).median();
    }

    private void addSlow(Table table) {
        String which = "%d pipelined GETs of %d ms: "
                .formatted(settings.atOnce(), settings.delay().toMillis());
        for (Variant variant : Variant.ALL) {
            table.goal(which + variant + ", s", slow(variant), variant.depth() == Variant.DEPTH ? SECONDS : null);
        }
        for (String peer : Kind.HTTP.peers()) {
            table.note(which + peer + ", s", slow(peer));
        }
    }

    private Interval slow(Object proxy) {
        return interval(round -> of(round.slow(), proxy).throughput().seconds());
    }

    private void addFast(Table table) {
        String which = "fast origin, %d at once: ".formatted(settings.atOnce());
        for (Variant variant : Variant.ALL) {
            table.note(which + variant + ", requests/s", perSecond(PipelineRound::fast, variant))
                    .note(
                            which + variant + ", p50 us",
                            interval(round -> of(round.fast(), variant).p50Micros()));
        }
    }

    private void addTokens(Table table) {
        String which = "tokens of type 1, %d at once: ".formatted(settings.atOnce());
        for (Variant variant : Variant.ALL) {
            table.note(which + variant + ", requests/s", perSecond(PipelineRound::tokens, variant))
                    .note(
                            which + variant + ", p50 ms",
                            interval(round -> of(round.tokens(), variant).p50Micros() / 1e3))
                    .note(
                            which + variant + ", cores that the gateway used",
                            interval(round -> of(round.cores(), variant)));
        }
        table.note(which + "depth 1, requests/s, two cores / one (paired)", ratio(Variant.ONE_BY_ONE_ON_ALL))
                .goal(which + "depth 8, requests/s, two cores / one (paired)", ratio(Variant.CONCURRENT_ON_ALL), CORES);
        String streams = "tokens of type 1, HTTP/2, %d streams: ".formatted(settings.streams());
        table.note(streams + "one core, requests/s", streams(Variant.CONCURRENT))
                .note(streams + "two cores, requests/s", streams(Variant.CONCURRENT_ON_ALL))
                .goal(
                        streams + "requests/s, two cores / one (paired)",
                        interval(round -> of(round.streams(), Variant.CONCURRENT_ON_ALL)
                                / of(round.streams(), Variant.CONCURRENT)),
                        CORES);
    }

    private Interval streams(Variant variant) {
        return interval(round -> of(round.streams(), variant));
    }

    private Interval ratio(Variant twoCores) {
        return interval(round -> of(round.tokens(), twoCores).throughput().perSecond()
                / of(round.tokens(), twoCores.onOneCore()).throughput().perSecond());
    }

    private Interval perSecond(Function<PipelineRound, Map<String, Pipelined>> turns, Variant variant) {
        return interval(round -> of(turns.apply(round), variant).throughput().perSecond());
    }

    private void addOrder(Table table) {
        String responses = "pipelined responses, ";
        table.note(
                        responses + "gateway",
                        "%,d".formatted(sum(true, turn -> turn.throughput().messages())))
                .none(
                        responses + "gateway: out of order or altered",
                        sum(true, turn -> turn.throughput().outOfOrder()))
                .none(
                        responses + "gateway: missing",
                        sum(true, turn -> turn.throughput().missing()))
                .note(
                        responses + "peers: out of order, altered or missing",
                        sum(
                                false,
                                turn -> turn.throughput().outOfOrder()
                                        + turn.throughput().missing()));
    }

    private long sum(boolean gateway, ToLongFunction<Pipelined> count) {
        return rounds.stream()
                .flatMap(round -> Stream.of(round.slow(), round.fast(), round.tokens()))
                .flatMap(turns -> turns.entrySet().stream())
                .filter(turn -> VARIANTS.contains(turn.getKey()) == gateway)
                .mapToLong(turn -> count.applyAsLong(turn.getValue()))
                .sum();
    }

    private Interval interval(ToDoubleFunction<PipelineRound> figure) {
        return Interval.of(rounds, figure);
    }

    /** @param proxy name of a proxy, or variant of the gateway */
    static <T> T of(Map<String, T> turns, Object proxy) {
        return Known.in(turns, "proxy", proxy.toString());
    }
}
