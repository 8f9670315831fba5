package dev.postern.load.run;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Settings;
import dev.postern.load.plan.Simulation;
import dev.postern.load.server.RunFolder;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Visit run: simulations whose result is checked by gauges of the gateway, sampled meanwhile: a waiting room, or tunnels. */
record VisitRun(RunFolder folder, Settings settings, Installation installation) {
    /**
     * Runs the simulation.
     *
     * @param own parameters that the run sets
     */
    Table run(Simulation simulation, Map<Parameter, String> own) {
        Table table = new Table();
        Optional<MetricsPage> before = installation.page();
        Map<Parameter, String> parameters = new EnumMap<>(own);
        parameters.put(Parameter.GATEWAY_URL, installation.url());
        Sampler sampler = installation.sampler(SampleTimes.EVERY_SECOND);
        try (sampler) {
            new Gatling(folder, settings).run(simulation, simulation.name(), parameters, Gatling.atMost(0), table);
        }
        Optional<MetricsPage> after = installation.page();
        if (after.isEmpty()) {
            return table.note("the gateway's own figures", "not checked: --metrics is not given");
        }
        if (simulation.tunnels()) {
            tunnels(table, sampler.samples());
        } else {
            room(table, sampler.samples());
        }
        new GatewayFigures(before.orElse(after.get()), after.get()).addTo(table);
        return table;
    }

    private static void room(Table table, Samples samples) {
        double active = samples.max(Figure.ROOM_ACTIVE);
        double bound = samples.max(Figure.ROOM_BOUND);
        table.goal("sessions at once, by the gateway's gauge, most", active, Goal.atMost(bound));
        // Without a queue the run shows nothing.
        table.goal("visitors that waited at once, most", samples.max(Figure.ROOM_WAITING), Goal.atLeast(1));
    }

    private void tunnels(Table table, Samples samples) {
        table.goal("tunnels open at once, by the gateway's gauge, most", samples.max(Figure.TUNNELS), Goal.atLeast(1));
        double left = leftTunnels();
        if (installation.process().isPresent()) {
            table.goal("tunnels open after the run", left, Goal.atMost(0));
        } else {
            table.note("tunnels open after the run, those of others included", Spread.number(left));
        }
    }

    /** Waits some seconds for the gateway to see the end of the last tunnel. */
    private double leftTunnels() {
        double left = Double.NaN;
        for (int i = 0; i < 50 && left != 0; i++) {
            Unchecked.run(() -> TimeUnit.MILLISECONDS.sleep(100));
            left = installation.page().map(page -> page.sum("postern_tunnels")).orElse(Double.NaN);
        }
        return left;
    }
}
