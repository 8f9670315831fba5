package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gatling as a process of its own, with this program's class path. */
record Gatling(RunFolder folder, Map<String, String> properties) {
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

    /** Runs one simulation; status 0 means that all its assertions hold. */
    int run(String simulation, Map<String, String> own, Duration atMost) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path")));
        own.forEach((name, value) -> command.add("-D" + name + "=" + value));
        // The properties of the user come last, so that they override.
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of(
                "io.gatling.app.Gatling",
                "-s",
                "dev.postern.load.simulation." + simulation,
                "-rf",
                folder.file("gatling").toString()));
        Progress.say("Gatling: " + simulation + " " + own);
        try (ServerProcess gatling = ServerProcess.startVisibly(folder, "gatling", command, Map.of())) {
            return gatling.awaitEnd(atMost);
        }
    }
}
