package dev.postern.load.proxies;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of a benchmark whose peers take the load in turn. */
public class PaceOptions {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds;

    @Option(names = "--seconds", description = "Length of each turn.")
    int seconds;

    @Option(names = "--warm-up", description = "Seconds of load on each peer before the first round.")
    int warmUp;

    /** The values are the defaults of the options. */
    public PaceOptions(int rounds, int seconds, int warmUp) {
        this.rounds = rounds;
        this.seconds = seconds;
        this.warmUp = warmUp;
    }

    public Pace pace() {
        return new Pace(rounds, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp));
    }
}
