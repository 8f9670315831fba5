package dev.postern.core.upstream;

import java.util.HashMap;
import java.util.Map;

/**
 * Turns by weight, as evenly mixed as they can be: each time everybody is credited its weight, the richest goes and pays what all were given.
 * One per event loop.
 */
final class SmoothWeightedRoundRobin {

    private static final int MAX_REMEMBERED = 10_000;

    private final Map<Endpoint, double[]> credits = new HashMap<>();

    /** @param total of the first {@code count} weights */
    Endpoint next(Endpoint[] candidates, double[] weights, int count, double total) {
        if (credits.size() > MAX_REMEMBERED) {
            credits.clear(); // of endpoints that are long gone
        }
        Endpoint best = candidates[0];
        double[] most = credit(best);
        for (int i = 0; i < count; i++) {
            double[] credit = credit(candidates[i]);
            credit[0] += weights[i];
            if (credit[0] > most[0]) {
                best = candidates[i];
                most = credit;
            }
        }
        most[0] -= total;
        return best;
    }

    private double[] credit(Endpoint endpoint) {
        return credits.computeIfAbsent(endpoint, e -> new double[1]);
    }
}
