package dev.postern.load.proxies;

import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/** Rounds of a row: the turns of all peers, round by round. */
public final class Rounds {
    private final List<Map<String, Turn>> rounds = new ArrayList<>();

    /** @param turns by the peer's name, all of one round */
    public void add(Map<String, Turn> turns) {
        rounds.add(Map.copyOf(turns));
    }

    /** Returns the turns by name of the peer, a map of each round. */
    public List<Map<String, Turn>> all() {
        return List.copyOf(rounds);
    }

    int count() {
        return rounds.size();
    }

    public Interval of(String peer, ToDoubleFunction<Turn> figure) {
        return Interval.of(rounds, round -> figure.applyAsDouble(turn(round, peer)));
    }

    /** Returns a figure of two peers, combined within each round, because a disturbance during a round affects both. */
    public Interval paired(String peer, String other, ToDoubleFunction<Turn> figure, DoubleBinaryOperator together) {
        return Interval.of(
                rounds,
                round -> together.applyAsDouble(
                        figure.applyAsDouble(turn(round, peer)), figure.applyAsDouble(turn(round, other))));
    }

    /** Returns a figure divided by the sum of the same figure of others, within each round. */
    Interval overSum(String peer, List<String> others, ToDoubleFunction<Turn> figure) {
        return Interval.of(
                rounds,
                round -> figure.applyAsDouble(turn(round, peer))
                        / others.stream()
                                .mapToDouble(other -> figure.applyAsDouble(turn(round, other)))
                                .sum());
    }

    private static Turn turn(Map<String, Turn> round, String peer) {
        return Known.in(round, "peer", peer);
    }
}
