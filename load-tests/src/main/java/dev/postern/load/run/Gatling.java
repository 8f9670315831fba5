package dev.postern.load.run;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.plan.MissedGoal;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Settings;
import dev.postern.load.plan.Simulation;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Gatling as a process of its own, with this program's class path. */
record Gatling(RunFolder folder, Settings settings) {
    /** Longer than any simulation but Soak takes. */
    private static final Duration AT_MOST = Duration.ofMinutes(30);

    /**
     * Returns the longest time of a run.
     *
     * @param arrivals seconds
     */
    static Duration atMost(int arrivals) {
        return AT_MOST.plusSeconds(arrivals);
    }

    /**
     * Runs one simulation, and adds a row with its status: 0 means that all its assertions hold.
     *
     * @param figure name of the simulation in the row
     * @param own parameters that the run sets, of which the simulation gets those that it has
     */
    void run(Simulation simulation, String figure, Map<Parameter, String> own, Duration atMost, Table table) {
        Map<String, String> parameters = own.entrySet().stream()
                .filter(entry -> Parameter.of(simulation.name()).contains(entry.getKey()))
                .collect(Collectors.toMap(entry -> entry.getKey().key(), Map.Entry::getValue));
        Path missed = folder.file(figure.replaceAll("[^A-Za-z0-9]+", "-") + ".missed");
        List<String> options = Command.of("--add-opens=java.base/java.lang=ALL-UNNAMED -Xmx512m");
        options.add("-D" + MissedGoal.FILE + "=" + missed);
        parameters.forEach((name, value) -> options.add("-D" + name + "=" + value));
        // The properties of the user come last, so that they override.
        settings.given().forEach((name, value) -> options.add("-D" + name + "=" + value));
        List<String> command = Command.java(
                options,
                "io.gatling.app.Gatling",
                "-s",
                "dev.postern.load.simulation." + simulation,
                "-rf",
                folder.file("gatling"));
        Progress.say("Gatling: " + simulation + " " + parameters);
        int status =
                ServerProcess.startVisibly(folder, "gatling", command, Map.of()).awaitEnd(atMost);
        table.verdict(figure + ": Gatling's assertions", "status " + status, "status 0", status == 0);
        MissedGoal.read(missed).forEach(goal -> table.verdict(figure, goal.found(), goal.expected(), false));
    }
}
