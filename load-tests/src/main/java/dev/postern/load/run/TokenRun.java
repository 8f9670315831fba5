package dev.postern.load.run;

import dev.postern.load.evidence.Evidence;
import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Table;
import dev.postern.load.plan.Capacity;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Phase;
import dev.postern.load.plan.PhaseResult;
import dev.postern.load.plan.Phases;
import dev.postern.load.plan.Settings;
import dev.postern.load.plan.Simulation;
import dev.postern.load.server.ForgedTokens;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Token run: simulations of visitors with tokens, checked by the requests in the upstream's access log if the run can read it. */
record TokenRun(RunFolder folder, Settings settings, TokenInstallation installation) {
    /** Differs from the address of valid clients: failures of a network do not count against others. */
    private static final String FORGER = "127.0.9.1";

    private static final int SAMPLES_PER_SLICE = 12;

    /** Runs the simulation with this number of tokens. */
    Table run(Simulation simulation, int tokens) {
        Map<Parameter, String> parameters = parameters(simulation, tokens);
        Table table = new Table().note("tokens", tokens);
        if (simulation == Simulation.Steady) {
            pass(table, simulation, with(parameters, "200"), tokens);
            // A second pass over the same file must add no request.
            return pass(table, simulation, with(parameters, "401"), 0);
        }
        if (simulation == Simulation.Soak) {
            return soak(table, parameters, tokens);
        }
        return pass(table, simulation, parameters, tokens);
    }

    private Map<Parameter, String> parameters(Simulation simulation, int tokens) {
        Map<Parameter, String> own = new EnumMap<>(Parameter.class);
        own.put(Parameter.GATEWAY_URL, simulation.tls() ? installation.tlsUrl() : installation.url());
        Path file = simulation == Simulation.Soak ? installation.stream(tokens) : installation.tokens(tokens);
        own.put(Parameter.TOKEN_FILE, file.toString());
        own.put(Parameter.PHASES_FILE, phasesFile().toString());
        own.put(Parameter.USERS, String.valueOf(tokens));
        if (simulation == Simulation.ForgedFlood) {
            int forged = settings.number(Parameter.FORGED) * settings.number(Parameter.SECONDS);
            own.put(
                    Parameter.FORGED_FILE,
                    ForgedTokens.write(folder, file, forged).toString());
            if (installation instanceof OwnInstallation) {
                own.put(Parameter.FORGED_ADDRESS, FORGER);
            }
        }
        return own;
    }

    private Table soak(Table table, Map<Parameter, String> parameters, int tokens) {
        Phases phases = Phases.soak(settings);
        Sampler sampler = installation.sampler(times(phases));
        try (sampler) {
            pass(table, Simulation.Soak, parameters, tokens);
        }
        SoakSlices slices = new SoakSlices(phases, PhaseResult.read(phasesFile()), sampler.samples());
        SoakVerdict verdict = new SoakVerdict(slices);
        verdict.addTo(table);
        String command = "load-tests/run Soak"
                + settings.given().entrySet().stream()
                        .map(parameter -> " -D" + parameter.getKey() + "=" + parameter.getValue())
                        .collect(Collectors.joining());
        new Evidence("soak", command, table, slices.data(), verdict.charts()).write(folder.folder("evidence"));
        return table;
    }

    /**
     * Returns the times of a soak's samples. Reading the page of metrics runs code that the JIT compilers compile too; as few reads after the
     * warm-up as the medians need keep that out of the judged time.
     */
    private static SampleTimes times(Phases phases) {
        Phase slice = phases.judged().get(0);
        return new SampleTimes(slice.start(), Math.max(1, slice.seconds() / SAMPLES_PER_SLICE));
    }

    private Path phasesFile() {
        return folder.file("phases.json");
    }

    private void phases(Table table, Simulation simulation) {
        if (simulation == Simulation.Soak) {
            return; // its phases are judged together
        }
        List<PhaseResult> results = PhaseResult.read(phasesFile());
        results.forEach(result -> table.note(simulation + ": " + result.name(), result.figures()));
        if (simulation == Simulation.Ramp) {
            Capacity capacity = Capacity.of(results, settings);
            int required = settings.number(Parameter.AT_LEAST);
            table.verdict(
                    "Ramp: capacity",
                    capacity.text(),
                    required > 0 ? "at least " + required + "/s" : "measured",
                    capacity.rate().orElse(-1) >= required);
        }
    }

    private Table pass(Table table, Simulation simulation, Map<Parameter, String> parameters, int expected) {
        OptionalInt before = installation.visits();
        Optional<MetricsPage> earlier = installation.page();
        String expect = parameters.getOrDefault(Parameter.EXPECT, "");
        String name = expect.isEmpty() ? simulation.name() : simulation + ", all " + expect;
        new Gatling(folder, settings).run(simulation, name, parameters, atMost(simulation), table);
        visits(table, name + ": new lines in nginx's access log", before, simulation, expected);
        phases(table, simulation);
        installation.page().ifPresent(now -> new GatewayFigures(earlier.orElse(now), now).addTo(table));
        return table;
    }

    private Duration atMost(Simulation simulation) {
        return Gatling.atMost(
                simulation == Simulation.Soak ? Phases.soak(settings).seconds() : 0);
    }

    private void visits(Table table, String figure, OptionalInt before, Simulation simulation, int expected) {
        OptionalInt after = installation.visits();
        if (before.isEmpty() || after.isEmpty()) {
            table.note(figure, "not checked: servers of others");
            return;
        }
        int added = after.getAsInt() - before.getAsInt();
        table.verdict(
                figure,
                String.valueOf(added),
                simulation.reach().goal(expected),
                simulation.reach().met(added, expected));
    }

    private static Map<Parameter, String> with(Map<Parameter, String> parameters, String expect) {
        Map<Parameter, String> all = new EnumMap<>(parameters);
        all.put(Parameter.EXPECT, expect);
        return all;
    }
}
