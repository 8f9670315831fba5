package dev.postern.core.upstream.endpoint;

import java.util.HashMap;
import java.util.Map;

/**
 * Smooth weighted round-robin (as in nginx): adds each weight to its endpoint's credit, picks the highest credit, and subtracts the total
 * from it. One per event loop.
 */
final class SmoothWeightedRoundRobin {

    private static final int MAX_REMEMBERED = 10_000;

    private final Map<Endpoint, double[]> credits = new HashMap<>();

    /** @param total sum of the first {@code count} weights */
    Endpoint next(Endpoint[] candidates, double[] weights, int count, double total) {
        if (credits.size() > MAX_REMEMBERED) {
            credits.clear(); // drop the credits of removed endpoints
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
