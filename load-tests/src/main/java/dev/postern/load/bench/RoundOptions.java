package dev.postern.load.bench;

import dev.postern.load.measure.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Options of a benchmark whose warm-up is a number of rounds. */
final class RoundOptions {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds;

    @Option(names = "--warm-up", description = "Rounds before the first that counts.")
    int warmUp;

    /** The values are the defaults of the options. */
    RoundOptions(int rounds, int warmUp) {
        this.rounds = rounds;
        this.warmUp = warmUp;
    }

    /**
     * Takes all rounds and returns those that count.
     *
     * @param line progress of a round
     */
    <T> List<T> take(Supplier<T> round, Function<T, String> line) {
        List<T> counted = new ArrayList<>();
        for (int number = 1 - warmUp; number <= rounds; number++) {
            T taken = round.get();
            Progress.say((number < 1 ? "warming up" : "round %d of %d".formatted(number, rounds)) + ": "
                    + line.apply(taken));
            if (number > 0) {
                counted.add(taken);
            }
        }
        return counted;
    }
}
