package dev.postern.load.bench;

import picocli.CommandLine.Option;

/** Goals of the figures of {@link RoomBench}. */
final class RoomGoals {
    @Option(
            names = "--goal-length",
            description = "Decisions per second in the longest line, as a multiple of those in the shortest; Redis.")
    double length = 0.9;

    @Option(
            names = "--goal-script",
            description = "Calls per second of a room in Redis, as a multiple of those of an empty script.")
    double script = 0.3;

    @Option(
            names = "--goal-script-cpu",
            description = "Redis' CPU time for a call of a room, as a multiple of that of an empty script.")
    double scriptCpu = 3;

    @Option(
            names = "--goal-map",
            description =
                    "Decisions per second for waiting sessions in memory, as a multiple of updates of a bare map.")
    double map = 0.3;

    @Option(
            names = "--goal-held",
            description = "Requests of admitted sessions for which a whole gateway doesn't ask Redis, percent.")
    double held = 95;
}
