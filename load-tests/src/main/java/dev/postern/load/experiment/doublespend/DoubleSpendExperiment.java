package dev.postern.load.experiment.doublespend;

import dev.postern.load.evidence.Evidence;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.SentSegments;
import dev.postern.load.measure.TimerScrape;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.CheckWorker;
import dev.postern.load.worker.Checks;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Repeats the double-spend check that took 40 ms, with its rejected causes, its cause, its cure, and the check in the gateway. */
@Command(
        name = "double-spend",
        description = {
            "Checks of tokens in memcached at low and high rates: over three writes with Nagle's algorithm, over three"
                    + " writes with TCP_NODELAY, over one write; with version before each check; over a pool of 20"
                    + " connections; then in the whole gateway with its clients spymemcached and netty.",
            "",
            "Goals: three writes with Nagle's algorithm take 40 to 48 ms at the median at every rate, everything else"
                    + " less than 1 ms. Short form, two minutes: --rounds 1 --seconds 1."
        })
public final class DoubleSpendExperiment implements Callable<Integer> {
    /** Checks of a turn at least, for a median. */
    private static final int FEWEST = 100;
    /** Checks per second. */
    private static final List<Integer> RATES = List.of(20, 500, 5_000);

    /** Requests per second and checks per second before the first round. */
    private static final int WARM_UP_RATE = 1_000;

    @Option(names = "--rounds", description = "Rounds; each has a turn of each variant at each rate.")
    int rounds = 3;

    @Option(names = "--seconds", description = "Length of a turn; longer where it takes longer to see 100 checks.")
    int seconds = 2;

    @Option(names = "--warm-up", description = "Requests through each gateway before the first round.")
    int warmUp = 8_000;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        int tokens = warmUp + RATES.stream().mapToInt(this::calls).sum() * rounds;
        Map<String, Party> gateways = new LinkedHashMap<>();
        try (RunFolder folder = RunFolder.create(spec.name())) {
            for (String client : Results.CLIENTS) {
                gateways.put(client, Party.start(folder, client, tokens));
            }
            int memcached = gateways.values().iterator().next().memcached();
            Results results = measure(Worker.start(folder, Cores.MEASURED, CheckWorker.class, memcached), gateways);
            return Evidence.of(
                            spec,
                            new DoubleSpendTable(results).table(),
                            DoubleSpendData.of(results),
                            new DoubleSpendCharts(results).charts())
                    .publish();
        }
    }

    private Results measure(Worker checks, Map<String, Party> gateways) {
        Progress.say("warming up");
        Checks.parse(checks.ask(Variant.ONE_WRITE.question(WARM_UP_RATE, warmUp)));
        gateways.values().forEach(gateway -> gateway.turn(WARM_UP_RATE, warmUp));
        Map<Integer, List<Round>> measured = new LinkedHashMap<>();
        RATES.forEach(rate -> measured.put(rate, new ArrayList<>()));
        for (int number = 1; number <= rounds; number++) {
            for (Map.Entry<Integer, List<Round>> series : measured.entrySet()) {
                Round round = round(checks, gateways, series.getKey());
                Progress.say("round %d of %d, %,d/s: %s", number, rounds, series.getKey(), round.line());
                series.getValue().add(round);
            }
        }
        return new Results(measured);
    }

    private Round round(Worker checks, Map<String, Party> gateways, int rate) {
        int calls = calls(rate);
        Map<Variant, Checks> variants = new EnumMap<>(Variant.class);
        for (Variant variant : Variant.values()) {
            variants.put(variant, Checks.parse(checks.ask(variant.question(rate, calls))));
        }
        Map<String, GatewayTurn> turns = new LinkedHashMap<>();
        gateways.forEach((client, gateway) -> turns.put(client, gateway.turn(rate, calls)));
        return new Round(variants, turns);
    }

    /** Returns the number of checks in a turn. */
    private int calls(int rate) {
        return Math.max(FEWEST, rate * seconds);
    }

    /** Party of the experiment: a gateway with one client of memcached, its servers, and the visitors that send tokens. */
    private record Party(TokenSite site, Worker visitors) {
        private static final String TIMER = "postern_spend_seconds";

        static Party start(RunFolder folder, String client, int tokens) {
            TokenSite site = TokenSite.startPinned(folder.part(client), client);
            return new Party(
                    site, Worker.start(folder, Cores.LOAD, RedeemWorker.class, site.port(), site.mint(tokens)));
        }

        /** Returns the port of the ledger. */
        int memcached() {
            return site.memcached().port();
        }

        GatewayTurn turn(int rate, int calls) {
            TimerScrape timer = TimerScrape.read(site.adminPort(), TIMER);
            long segments = SentSegments.to(memcached());
            Latencies outside = visitors.ask("token " + rate + " " + calls, Latencies.class);
            return new GatewayTurn(
                    TimerScrape.read(site.adminPort(), TIMER).since(timer),
                    outside,
                    SentSegments.to(memcached()) - segments);
        }
    }
}
