package dev.postern.load.oldnew;

import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Alternation;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.Pace;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Build comparison: the gateways of both builds run at once, on one core, and take the load of a scenario in turn; after
 * some rounds both are started anew.
 */
record BuildComparison(Builds builds, Plan plan) {
    /** Takes all rounds of the plan. */
    Result of(Scenario scenario) {
        List<Rounds> starts = new ArrayList<>();
        List<Pace> paces = plan.starts();
        try (RunFolder folder = RunFolder.create("old-new-" + scenario)) {
            Progress.say(scenario + ": " + scenario.title() + "; configurations and logs: " + folder
                    + "; leak detection is off");
            Site site = scenario.open(folder, plan, builds);
            List<Build> order = new ArrayList<>(List.of(builds.old(), builds.current()));
            for (Pace pace : paces) {
                Progress.say("%s: start %d of %d", scenario, starts.size() + 1, paces.size());
                try (RunFolder start = folder.part("start-" + (starts.size() + 1))) {
                    starts.add(rounds(scenario, site, order, pace, start));
                }
                // Each build starts first equally often.
                Collections.reverse(order);
            }
        }
        return Result.of(starts);
    }

    private static Rounds rounds(Scenario scenario, Site site, List<Build> order, Pace pace, RunFolder start) {
        List<Contender> contenders =
                order.stream().map(build -> site.start(build, start)).toList();
        contenders.forEach(contender -> contender.warmUp(pace.warmUp()));
        Alternation alternation = new Alternation(scenario.toString(), pace);
        alternation.take(contenders);
        return alternation.rounds();
    }
}
