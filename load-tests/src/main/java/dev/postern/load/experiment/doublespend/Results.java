package dev.postern.load.experiment.doublespend;

import dev.postern.load.measure.Spread;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Results of the experiment.
 *
 * @param rounds by rate, in checks per second, in rising order
 */
record Results(Map<Integer, List<Round>> rounds) {
    static final String SPYMEMCACHED = "spymemcached";
    static final String NETTY = "netty";
    static final List<String> CLIENTS = List.of(SPYMEMCACHED, NETTY);

    List<Integer> rates() {
        return List.copyOf(rounds.keySet());
    }

    List<Round> at(int rate) {
        return rounds.getOrDefault(rate, List.of());
    }

    /** Returns a figure of the rounds at one rate. */
    Spread spread(int rate, ToDoubleFunction<Round> figure) {
        return Spread.of(at(rate), figure);
    }
}
