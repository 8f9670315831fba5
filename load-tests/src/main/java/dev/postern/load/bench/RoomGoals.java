package dev.postern.load.bench;

import picocli.CommandLine.Option;

/** Goals of the figures of {@link RoomBench}. */
final class RoomGoals {
    @Option(
            names = "--goal-waiting",
            description = "Decisions per second for waiting sessions, on one connection to Redis.")
    double waiting = 150_000;

    @Option(names = "--goal-admitted", description = "Decisions per second for admitted sessions, on one connection.")
    double admitted = 250_000;

    @Option(
            names = "--goal-ancestor",
            description =
                    "Decisions per second, as a multiple of the ancestor's commands over as many connections as suit them best.")
    double ancestor = 8;

    @Option(names = "--goal-redis-cpu", description = "Redis' CPU time for each decision, microseconds.")
    double redisMicros = 6;

    @Option(
            names = "--goal-flat",
            description = "Redis' CPU time for each in the longest line, as a multiple of that in the shortest.")
    double flat = 1.5;

    @Option(
            names = "--goal-bytes",
            description = "Redis' memory for each waiting session, bytes: 250 MB for a million.")
    double bytes = 250;

    @Option(names = "--goal-memory", description = "Decisions per second of the engine in memory, one thread.")
    double memory = 2_000_000;

    @Option(
            names = "--goal-held",
            description = "Requests of admitted sessions for which a whole gateway doesn't ask Redis, percent.")
    double held = 95;
}
