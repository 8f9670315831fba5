package dev.postern.load.bench;

import dev.postern.load.jmh.TokenChecks;
import dev.postern.load.measure.Cost;
import dev.postern.load.measure.Known;
import dev.postern.load.measure.OpensslSpeed;
import dev.postern.load.measure.Progress;
import dev.postern.load.proxies.Pace;
import dev.postern.load.server.RunFolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Round of signature checks: {@code openssl speed} and several providers, each in a JVM of its own, one after the other
 * on one core.
 *
 * @param openssl verifications per second
 * @param costs of a check, by provider
 */
record VerifyRound(double openssl, Map<String, Cost> costs) {

    /** Takes all rounds. */
    static List<VerifyRound> take(RunFolder folder, Pace pace, List<String> providers) {
        List<VerifyRound> rounds = new ArrayList<>();
        for (int number = 1; number <= pace.rounds(); number++) {
            double openssl =
                    OpensslSpeed.verifications(Math.toIntExact(pace.turn().toSeconds()));
            Map<String, Cost> costs = new LinkedHashMap<>();
            for (String provider : providers) {
                costs.put(provider, TokenChecks.cost(folder, provider, pace.warmUp(), pace.turn()));
            }
            VerifyRound round = new VerifyRound(openssl, costs);
            Progress.say("round %d of %d: openssl speed rsa2048 %,.0f/s", number, pace.rounds(), openssl);
            providers.forEach(provider ->
                    Progress.say("  %s %,.0f/s, %.3f", provider, round.perSecond(provider), round.ratio(provider)));
            rounds.add(round);
        }
        return rounds;
    }

    /** Returns checks per second of CPU time, as {@code openssl speed} counts, so that other processes have no effect. */
    double perSecond(String provider) {
        return 1e6 / cost(provider).cpuMicros();
    }

    /** Returns the checks per second over OpenSSL's verifications. */
    double ratio(String provider) {
        return perSecond(provider) / openssl;
    }

    double heapBytes(String provider) {
        return cost(provider).heapBytes();
    }

    private Cost cost(String provider) {
        return Known.in(costs, "provider", provider);
    }
}
