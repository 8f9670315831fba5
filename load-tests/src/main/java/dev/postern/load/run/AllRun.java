package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.plan.Settings;
import dev.postern.load.plan.Simulation;
import dev.postern.load.server.RunFolder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Run of all simulations in their short form, one after the other, against servers that it starts: those with tokens share one installation.
 *
 * @param properties of the user, which override the short form
 */
record AllRun(RunFolder folder, Map<String, String> properties) {
    /** Parameters of the short form, by simulation; all others take {@link #TEN_SECONDS}. */
    private static final Map<Simulation, Map<String, String>> SHORT = new EnumMap<>(Map.of(
            Simulation.Smoke,
            Map.of(),
            Simulation.Steady,
            Map.of("rate", "200"),
            Simulation.DoubleSpend,
            Map.of("rate", "200"),
            Simulation.Ramp,
            Map.of("from", "50", "step", "50", "levels", "3", "levelSeconds", "3", "warmUpSeconds", "3"),
            Simulation.Spike,
            Map.of("calm", "30", "calmSeconds", "4", "peak", "300", "peakSeconds", "2"),
            Simulation.Soak,
            Map.of("minutes", "3", "constant", "50", "warmUpRate", "50")));

    private static final Map<String, String> TEN_SECONDS = Map.of("seconds", "10");

    private static final Map<Simulation, Integer> TOKENS =
            new EnumMap<>(Map.of(Simulation.Steady, 2000, Simulation.DoubleSpend, 50));

    /** Returns a row for each simulation. */
    Table run() {
        Table all = new Table();
        long begin = System.nanoTime();
        try (RunFolder part = folder.part("tokens")) {
            TokenInstallation tokens = OwnInstallation.start(part);
            for (Simulation simulation : Simulation.values()) {
                if (simulation.redeems()) {
                    row(all, simulation, tokens);
                }
            }
        }
        for (Simulation simulation : Simulation.values()) {
            if (!simulation.redeems()) {
                row(all, simulation, null);
            }
        }
        return all.note("seconds", seconds(begin));
    }

    private void row(Table all, Simulation simulation, @Nullable TokenInstallation tokens) {
        long begin = System.nanoTime();
        String figure = simulation.name();
        try {
            Progress.say("simulation " + simulation);
            Table table = run(simulation, tokens);
            System.out.println("\n" + table);
            List<String> missed = table.rows().stream()
                    .filter(row -> row.verdict().equals("MISSED"))
                    .map(Table.Row::figure)
                    .toList();
            long goals = table.rows().stream()
                    .filter(row -> !row.verdict().isEmpty())
                    .count();
            String value = missed.isEmpty()
                    ? goals + " goals met, " + seconds(begin) + " s"
                    : missed.stream().collect(Collectors.joining("; ", "missed: ", ""));
            all.verdict(figure, value, "all goals met", missed.isEmpty());
        } catch (RuntimeException e) {
            e.printStackTrace();
            all.verdict(figure, "failed: " + Progress.firstLine(e), "all goals met", false);
        }
    }

    private Table run(Simulation simulation, @Nullable TokenInstallation tokens) {
        Map<String, String> parameters = new HashMap<>(SHORT.getOrDefault(simulation, TEN_SECONDS));
        parameters.putAll(properties);
        Settings settings = new Settings(parameters);
        try (RunFolder own = folder.part(simulation.name())) {
            int count = TOKENS.getOrDefault(simulation, simulation.tokens(settings));
            Table table = tokens == null
                    ? Target.OWN.run(own, simulation, settings, 0)
                    : new TokenRun(own, settings, tokens).run(simulation, count);
            own.write(ComparedRuns.TABLE, table.toString());
            return table;
        }
    }

    private static long seconds(long begin) {
        return Math.round((System.nanoTime() - begin) / 1e9);
    }
}
