package dev.postern.load.bench;

import dev.postern.auth.verify.SignatureProvider;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.OpensslSpeed;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.VerifyWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the signature checks per second of one core with each provider, beside {@code openssl speed} in alternating
 * turns.
 */
@Command(
        name = "verify",
        description = "Signature checks per second and core with each provider, beside openssl speed rsa2048.",
        showDefaultValues = true,
        mixinStandardHelpOptions = true)
final class VerifyBench implements Callable<Integer> {
    @Option(names = "--rounds", description = "Alternating rounds that count.")
    int rounds = 10;

    @Option(names = "--seconds", description = "Length of each turn.")
    int seconds = 2;

    @Option(names = "--warm-up", description = "Seconds for each provider before the first round.")
    int warmUp = 5;

    @Option(names = "--goal", description = "Checks of the native provider, as a multiple of OpenSSL's verifications.")
    double goal = 0.92;

    @Option(names = "--goal-heap", description = "Bytes of heap that a check of the native provider allocates.")
    double goalHeap = 300;

    /** Series of the costs of one provider, round by round. */
    private record Series(String provider, Worker worker, List<Cost> costs) {

        /**
         * Returns checks per second of CPU time, as {@code openssl speed} counts, so that other processes have no
         * effect; garbage collection is included.
         */
        List<Double> perSecond() {
            return costs.stream().map(cost -> 1e6 / cost.cpuMicros()).toList();
        }
    }

    @Override
    public Integer call() {
        RunFolder folder = RunFolder.create("verify");
        List<Series> all = new ArrayList<>();
        Table table = new Table();
        try {
            for (String provider : SignatureProvider.names()) {
                start(folder, provider, all, table);
            }
            List<Double> openssl = measure(all);
            addTo(table, openssl, all);
            System.out.println(table);
            return table.status();
        } finally {
            all.forEach(series -> series.worker.close());
        }
    }

    private void start(RunFolder folder, String provider, List<Series> all, Table table) {
        try {
            SignatureProvider.named(provider);
        } catch (IllegalStateException e) {
            String reason = "not on this machine: " + e.getMessage();
            if (provider.equals(SignatureProvider.NATIVE)) {
                table.verdict(provider, reason, "loads", false);
            } else {
                table.note(provider, reason);
            }
            return;
        }
        Progress.say("warming up " + provider + ", " + warmUp + " s");
        Series series = new Series(
                provider, Worker.start(folder, Cores.MEASURED, VerifyWorker.class, provider), new ArrayList<>());
        all.add(series);
        series.worker.ask(String.valueOf(warmUp));
    }

    /** Takes all rounds and returns the results of OpenSSL. */
    private List<Double> measure(List<Series> all) {
        List<Double> openssl = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            openssl.add(OpensslSpeed.verifications(seconds));
            say(round, "openssl speed rsa2048", openssl);
            for (Series series : all) {
                series.costs.add(Cost.parse(series.worker.ask(String.valueOf(seconds))));
                say(round, series.provider, series.perSecond());
            }
        }
        return openssl;
    }

    private void say(int round, String subject, List<Double> perSecond) {
        Progress.say("round %d of %d: %-28s %,8.0f/s".formatted(round, rounds, subject, perSecond.get(round - 1)));
    }

    private void addTo(Table table, List<Double> openssl, List<Series> all) {
        table.note("openssl speed rsa2048, raw verifications/s", Spread.of(openssl));
        for (Series series : all) {
            double[] ratios = new double[openssl.size()];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = series.perSecond().get(i) / openssl.get(i);
            }
            table.note(series.provider + ": token signatures/s", Spread.of(series.perSecond()));
            String figure = series.provider + " / openssl (paired)";
            Spread heap =
                    Spread.of(series.costs.stream().mapToDouble(Cost::heapBytes).toArray());
            if (series.provider.equals(SignatureProvider.NATIVE)) {
                table.goal(figure, Spread.of(ratios), Goal.atLeast(goal))
                        .goal(series.provider + ": heap bytes each", heap, Goal.atMost(goalHeap));
            } else {
                table.note(figure, Spread.of(ratios)).note(series.provider + ": heap bytes each", heap);
            }
        }
    }
}
