package dev.postern.load.run;

import dev.postern.load.measure.Table;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Simulation;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Token run: simulations of visitors with tokens, checked by the requests in the upstream's access log if the run can read it. */
record TokenRun(Installation installation, Gatling gatling) {

    /** Runs the simulation with this number of tokens. */
    Table run(Simulation simulation, int tokens) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put(Parameter.GATEWAY_URL.key(), installation.url());
        Path file = installation.tokens(tokens);
        parameters.put(Parameter.TOKEN_FILE.key(), file.toString());
        if (simulation == Simulation.Smoke) {
            parameters.put(Parameter.USERS.key(), String.valueOf(tokens));
        }
        Table table = new Table().note("tokens", tokens);
        if (simulation == Simulation.Steady) {
            pass(table, simulation, with(parameters, "200"), tokens);
            // A second pass over the same file must add no request.
            return pass(table, simulation, with(parameters, "401"), 0);
        }
        return pass(table, simulation, parameters, tokens);
    }

    private Table pass(Table table, Simulation simulation, Map<String, String> parameters, int expected) {
        OptionalInt before = installation.visits();
        int status = gatling.run(simulation.name(), parameters);
        OptionalInt after = installation.visits();
        String expect = parameters.getOrDefault(Parameter.EXPECT.key(), "");
        String name = expect.isEmpty() ? simulation.name() : simulation + ", all " + expect;
        table.verdict(name + ": Gatling's assertions", "status " + status, "status 0", status == 0);
        String figure = name + ": new lines in nginx's access log";
        if (before.isEmpty() || after.isEmpty()) {
            return table.note(figure, "not checked: servers of others");
        }
        int added = after.getAsInt() - before.getAsInt();
        return table.verdict(
                figure,
                String.valueOf(added),
                simulation.reach().goal(expected),
                simulation.reach().met(added, expected));
    }

    private static Map<String, String> with(Map<String, String> parameters, String expect) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put(Parameter.EXPECT.key(), expect);
        return all;
    }
}
