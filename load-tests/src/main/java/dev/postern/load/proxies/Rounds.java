package dev.postern.load.proxies;

import dev.postern.load.measure.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/** Rounds of a row: the turns of all peers, round by round. */
final class Rounds {
    private final List<Map<String, Turn>> rounds = new ArrayList<>();

    /** @param turns by the peer's name, all of one round */
    void add(Map<String, Turn> turns) {
        rounds.add(Map.copyOf(turns));
    }

    int count() {
        return rounds.size();
    }

    Interval of(String peer, ToDoubleFunction<Turn> figure) {
        return Interval.of(rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(turn(round, peer)))
                .toArray());
    }

    /** Returns a figure of two peers, combined within each round, because a disturbance during a round affects both. */
    Interval paired(String peer, String other, ToDoubleFunction<Turn> figure, DoubleBinaryOperator together) {
        return Interval.of(rounds.stream()
                .mapToDouble(round -> together.applyAsDouble(
                        figure.applyAsDouble(turn(round, peer)), figure.applyAsDouble(turn(round, other))))
                .toArray());
    }

    /** Returns a figure divided by the sum of the same figure of others, within each round. */
    Interval overSum(String peer, List<String> others, ToDoubleFunction<Turn> figure) {
        return Interval.of(rounds.stream()
                .mapToDouble(round -> figure.applyAsDouble(turn(round, peer))
                        / others.stream()
                                .mapToDouble(other -> figure.applyAsDouble(turn(round, other)))
                                .sum())
                .toArray());
    }

    private static Turn turn(Map<String, Turn> round, String peer) {
        Turn turn = round.get(peer);
        if (turn == null) {
            throw new IllegalArgumentException("peer: " + peer + " (expected: one of " + round.keySet() + ")");
        }
        return turn;
    }
}
