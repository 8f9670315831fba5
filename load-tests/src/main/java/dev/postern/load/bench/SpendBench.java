package dev.postern.load.bench;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.TimerScrape;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.TokenSite;
import dev.postern.load.worker.AddWorker;
import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.RedeemWorker;
import dev.postern.load.worker.Worker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the latency of the double-spend check at low and high rates: by the gateway's own timer, from outside, and
 * beside a bare socket.
 */
@Command(
        name = "spend",
        description = "Spend checks through the whole gateway over memcached, by its own timer and from outside.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class SpendBench implements Callable<Integer> {
    private static final String TIMER = "postern_spend_seconds";
    private static final String NETTY = "netty";
    private static final double MAX_FAILED_PERCENT = 0.1;

    @Option(
            names = "--rate",
            description = "Redemptions per second; once for each.",
            split = ",",
            defaultValue = "20,500,1000,5000")
    List<Integer> rates = new ArrayList<>();

    @Option(names = "--rounds", description = "Alternating rounds at each rate.")
    int rounds = 10;

    @Option(names = "--seconds", description = "Length of a turn; longer where it takes longer to see 200 redemptions.")
    int seconds = 3;

    @Option(names = "--warm-up", description = "Redemptions before the first round.")
    int warmUp = 8_000;

    @Option(names = "--client", description = "Client of memcached: spymemcached or netty.")
    String client = "spymemcached";

    @Option(names = "--goal-ms", description = "The median of the check stays below, at every rate.")
    double goalMillis = 1;

    @Option(
            names = "--goal-ratio",
            description =
                    "The median of the check, as a multiple of the bare round trip's; 2 by default, 1.5 with netty.")
    @Nullable
    Double goalRatio;

    @Option(names = "--goal-p99-ms", description = "The check's 99th percentile stays below, by netty.")
    double goalP99Millis = 1;

    @Option(names = "--goal-p99", description = "The check's 99th percentile, as a multiple of the bare round trip's.")
    double goalP99 = 3;

    /** One round: the bare socket, then the path without token, then the path with token. */
    private record Round(Latencies bare, Latencies open, Latencies token, TimerScrape timer) {}

    /** The site and the workers of a run. */
    private record Parties(TokenSite site, Worker bare, Worker visitors) {}

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("spend");
        try (TokenSite site = TokenSite.startPinned(folder, client)) {
            Path tokens =
                    site.mint(warmUp + rates.stream().mapToInt(this::calls).sum() * rounds);
            String port = String.valueOf(site.port());
            String memcached = String.valueOf(site.memcached().port());
            try (Worker bare = Worker.start(folder, Cores.MEASURED, AddWorker.class, memcached);
                    Worker visitors = Worker.start(folder, Cores.LOAD, RedeemWorker.class, port, tokens.toString())) {
                Table table = measure(new Parties(site, bare, visitors));
                System.out.println(table);
                return table.status();
            }
        }
    }

    private Table measure(Parties parties) {
        Progress.say("warming up with " + warmUp + " redemptions");
        good(parties.bare.ask("2000 " + warmUp));
        good(parties.visitors.ask("open 2000 " + warmUp));
        good(parties.visitors.ask("token 1000 " + warmUp));
        Table table = new Table();
        for (int rate : rates) {
            List<Round> measured = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                Round one = round(parties, rate);
                measured.add(one);
                Progress.say(
                        "%,d/s, round %d of %d: own timer %.0f us, bare add %.0f us, outside %.0f us with token, %.0f without"
                                .formatted(
                                        rate,
                                        round,
                                        rounds,
                                        one.timer.micros(50),
                                        one.bare.sentP50(),
                                        one.token.dueP50(),
                                        one.open.dueP50()));
            }
            addTo(table, "%,d/s: ".formatted(rate), measured);
        }
        return table;
    }

    private Round round(Parties parties, int rate) {
        String load = rate + " " + calls(rate);
        Latencies bare = good(parties.bare.ask(load));
        Latencies open = good(parties.visitors.ask("open " + load));
        TimerScrape earlier = TimerScrape.read(parties.site.adminPort(), TIMER);
        Latencies token = good(parties.visitors.ask("token " + load));
        TimerScrape timer = TimerScrape.read(parties.site.adminPort(), TIMER).since(earlier);
        if (timer.count() != token.calls()) {
            throw new IllegalStateException(
                    TIMER + ": " + timer.count() + " checks timed (expected: every one of the " + token.calls() + ")");
        }
        return new Round(bare, open, token, timer);
    }

    private void addTo(Table table, String rate, List<Round> measured) {
        Spread own = spread(measured, round -> round.timer.micros(50));
        Spread slowest = spread(measured, round -> round.timer.micros(99));
        if (client.equals(NETTY)) {
            table.goal(rate + "own timer, p99 us", slowest, Goal.lessThan(goalP99Millis * 1000));
        } else {
            table.note(rate + "own timer, p99 us", slowest);
        }
        Spread ratio = spread(measured, round -> round.timer.micros(50) / round.bare.sentP50());
        table.goal(
                        rate + "redemptions refused or failed, percent",
                        spread(measured, round -> 100.0 * round.token.failed() / round.token.calls()),
                        Goal.atMost(MAX_FAILED_PERCENT))
                .goal(rate + "own timer, median us", own, Goal.lessThan(goalMillis * 1000))
                .goal(rate + "own timer / bare add, medians", ratio, Goal.atMost(goalRatio()))
                .note(rate + "own timer, mean us", spread(measured, round -> round.timer.mean()))
                .goal(
                        rate + "own timer / bare add, p99",
                        spread(measured, round -> round.timer.micros(99) / round.bare.sentP99()),
                        Goal.atMost(goalP99))
                .note(rate + "bare add, p50 us", spread(measured, round -> round.bare.sentP50()))
                .goal(
                        rate + "outside with token, p50 us from due",
                        spread(measured, round -> round.token.dueP50()),
                        Goal.lessThan(goalMillis * 1000))
                .note(rate + "outside with token, p99 us from due", spread(measured, round -> round.token.dueP99()))
                .note(
                        rate + "outside, token minus open path, p50 us from sent",
                        spread(measured, round -> round.token.sentP50() - round.open.sentP50()));
    }

    private double goalRatio() {
        return goalRatio != null ? goalRatio : client.equals(NETTY) ? 1.5 : 2;
    }

    /** Returns the number of calls in a turn: at low rates at least as many as a median needs. */
    private int calls(int rate) {
        return Math.max(200, rate * seconds);
    }

    private static Latencies good(String response) {
        Latencies latencies = Latencies.parse(response);
        if (latencies.failed() > latencies.calls() / 2) {
            throw new IllegalStateException(
                    latencies.failed() + " of " + latencies.calls() + " calls failed (expected: hardly any)");
        }
        return latencies;
    }

    private static Spread spread(List<Round> measured, ToDoubleFunction<Round> figure) {
        return Spread.of(measured.stream().mapToDouble(figure).toArray());
    }
}
