package dev.postern.load.bench;

import dev.postern.load.measure.OpensslSpeed;
import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Pace;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.Cost;
import dev.postern.load.worker.VerifyWorker;
import dev.postern.load.worker.Worker;
import java.util.ArrayList;
import java.util.List;

/** Verify turns: workers of several providers and {@code openssl speed} take turns on one core. */
final class VerifyTurns implements AutoCloseable {
    private final RunFolder folder;
    private final Pace pace;
    private final List<Series> series = new ArrayList<>();
    private final List<Double> openssl = new ArrayList<>();

    VerifyTurns(RunFolder folder, Pace pace) {
        this.pace = pace;
        this.folder = folder;
    }

    /** Series of the costs of one provider, round by round. */
    record Series(String provider, Worker worker, List<Cost> costs) {

        /**
         * Returns checks per second of CPU time, as {@code openssl speed} counts, so that other processes have no
         * effect; garbage collection is included.
         */
        List<Double> perSecond() {
            return costs.stream().map(cost -> 1e6 / cost.cpuMicros()).toList();
        }
    }

    /** Starts and warms up the worker of a provider. */
    Series start(String provider) {
        long warmUpSeconds = pace.warmUp().toSeconds();
        Progress.say("warming up " + provider + ", " + warmUpSeconds + " s");
        Series started = new Series(
                provider, Worker.start(folder, Cores.MEASURED, VerifyWorker.class, provider), new ArrayList<>());
        series.add(started);
        started.worker.ask(String.valueOf(warmUpSeconds));
        return started;
    }

    /** Takes all rounds. */
    void take() {
        int seconds = Math.toIntExact(pace.turn().toSeconds());
        for (int round = 1; round <= pace.rounds(); round++) {
            String number = "round %d of %d".formatted(round, pace.rounds());
            openssl.add(OpensslSpeed.verifications(seconds));
            say(number, "openssl speed rsa2048", openssl);
            for (Series one : series) {
                one.costs.add(Cost.parse(one.worker.ask(String.valueOf(seconds))));
                say(number, one.provider, one.perSecond());
            }
        }
    }

    private static void say(String round, String subject, List<Double> perSecond) {
        Progress.say("%s: %-28s %,8.0f/s".formatted(round, subject, perSecond.get(perSecond.size() - 1)));
    }

    List<Double> openssl() {
        return openssl;
    }

    List<Series> series() {
        return series;
    }

    /** Returns the checks per second over OpenSSL's verifications of the same round. */
    double[] ratios(Series one) {
        double[] ratios = new double[openssl.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = one.perSecond().get(i) / openssl.get(i);
        }
        return ratios;
    }

    @Override
    public void close() {
        series.forEach(one -> one.worker.close());
    }
}
