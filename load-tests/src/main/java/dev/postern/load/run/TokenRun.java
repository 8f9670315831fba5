package dev.postern.load.run;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Token run: simulations of visitors with tokens, checked by the requests in the upstream's access log. */
record TokenRun(RunFolder folder, Gatling gatling) {
    private static final int WARM_UP = 500;

    /** Sends one token for each user; each token must pass once. */
    Table smoke(int tokens) {
        try (TokenSite site = TokenSite.start(folder)) {
            warmUp(site);
            Map<String, String> parameters = parameters(site, site.mint(tokens));
            return pass(site, new Table(), "Smoke", parameters, tokens);
        }
    }

    /** Spends every token once; a second pass over the same file must add no request. */
    Table steady(int tokens) {
        try (TokenSite site = TokenSite.start(folder)) {
            warmUp(site);
            Map<String, String> parameters = parameters(site, site.mint(tokens));
            Table table = new Table().note("tokens minted", tokens);
            pass(site, table, "Steady", with(parameters, "200"), tokens);
            return pass(site, table, "Steady", with(parameters, "401"), 0);
        }
    }

    /** Sends many copies of each token at once; exactly one of them must pass. */
    Table doubleSpend(int tokens) {
        try (TokenSite site = TokenSite.start(folder)) {
            warmUp(site);
            Map<String, String> parameters = parameters(site, site.mint(tokens));
            return pass(site, new Table(), "DoubleSpend", parameters, tokens);
        }
    }

    /**
     * Warms up the gateway, because a JVM misses deadlines in its first seconds; the responses to these redemptions are
     * not checked.
     */
    private void warmUp(TokenSite site) {
        Path tokens = site.mint(WARM_UP);
        Progress.say("warming up with " + WARM_UP + " redemptions");
        try (Worker visitors =
                Worker.start(folder, Cores.ANY, RedeemWorker.class, String.valueOf(site.port()), tokens.toString())) {
            visitors.ask("token 100 " + WARM_UP);
        }
        settled(site);
    }

    private Table pass(TokenSite site, Table table, String simulation, Map<String, String> parameters, int expected) {
        int visitsBefore = site.origin().visits().size();
        int status = gatling.run(simulation, parameters);
        int added = settled(site) - visitsBefore;
        String expect = parameters.getOrDefault("expect", "");
        String name = expect.isEmpty() ? simulation : simulation + ", all " + expect;
        return table.verdict(name + ": Gatling's assertions", "status " + status, "status 0", status == 0)
                .verdict(
                        name + ": new lines in nginx's access log",
                        String.valueOf(added),
                        "exactly " + expected,
                        added == expected);
    }

    /**
     * Returns the final number of requests: nginx logs a line after the response has left, so the count must have
     * stopped growing.
     */
    private static int settled(TokenSite site) {
        int last = -1;
        int current = site.origin().visits().size();
        while (current != last) {
            last = current;
            try {
                TimeUnit.MILLISECONDS.sleep(500);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return current;
            }
            current = site.origin().visits().size();
        }
        return current;
    }

    private static Map<String, String> parameters(TokenSite site, Path tokens) {
        return Map.of("gateway.url", site.url(), "tokenFile", tokens.toString());
    }

    private static Map<String, String> with(Map<String, String> parameters, String expect) {
        return Map.of(
                "gateway.url", parameters.getOrDefault("gateway.url", ""),
                "tokenFile", parameters.getOrDefault("tokenFile", ""),
                "expect", expect);
    }
}
