package dev.postern.core.upstream.endpoint;

import dev.postern.core.spi.EndpointRule;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects an endpoint: the less busy one of two drawn at random (Mitzenmacher, "The Power of Two Choices"), round robin, by a key, or by an
 * extension. One per event loop.
 */
public final class EndpointSelector {

    private final UpstreamSettings.Balance.Kind kind;
    private final double panic;
    private final SplittableRandom random;
    private final Predicate<Endpoint> candidate = this::isCandidate;
    private Endpoint[] candidates = new Endpoint[0];
    private double[] weights = new double[0];
    private int count;
    private double total;
    private final SmoothWeightedRoundRobin robin = new SmoothWeightedRoundRobin();
    private final EndpointRule.@Nullable Chooser chooser;

    public EndpointSelector(UpstreamSettings settings, long seed) {
        this.kind = settings.balance().kind();
        this.panic = settings.health().panic().fraction();
        this.random = new SplittableRandom(seed);
        @Nullable ExtensionBalance rule = settings.balance().rule();
        this.chooser = rule == null ? null : rule.open();
    }

    /**
     * Returns a usable endpoint; or any endpoint when too few are usable, since those few could not carry the load.
     *
     * @param avoid an endpoint that failed this exchange already; chosen only when there is no other
     */
    public Endpoint choose(EndpointSet set, long key, long now, @Nullable Endpoint avoid) {
        if (set.size() == 1) {
            return set.all().get(0);
        }
        gather(set.all(), now, avoid);
        HashRing ring = set.ring();
        if (ring != null) {
            return ring.find(key, candidate);
        }
        if (chooser != null && count > 1) {
            int index = chooser.choose(
                    Arrays.<EndpointRule.Server>asList(candidates).subList(0, count), key);
            if (index >= 0) {
                return candidates[index];
            }
        }
        return kind == UpstreamSettings.Balance.Kind.ROUND_ROBIN
                ? robin.next(candidates, weights, count, total)
                : lessBusy(draw(), draw(), now);
    }

    private void gather(List<Endpoint> all, long now, @Nullable Endpoint avoid) {
        if (candidates.length < all.size()) {
            candidates = new Endpoint[all.size()];
            weights = new double[all.size()];
        }
        int usable = 0;
        for (int i = 0; i < all.size(); i++) {
            usable += all.get(i).health().usable(now) ? 1 : 0;
        }
        boolean any = usable == 0 || usable < panic * all.size();
        fill(all, any, now, avoid);
        if (count == 0) {
            fill(all, any, now, null);
        }
    }

    private void fill(List<Endpoint> all, boolean any, long now, @Nullable Endpoint avoid) {
        count = 0;
        total = 0;
        for (int i = 0; i < all.size(); i++) {
            Endpoint endpoint = all.get(i);
            if (endpoint != avoid && (any || endpoint.health().usable(now))) {
                candidates[count] = endpoint;
                weights[count] = endpoint.weight(now);
                total += weights[count++];
            }
        }
    }

    private boolean isCandidate(Endpoint endpoint) {
        for (int i = 0; i < count; i++) {
            if (candidates[i] == endpoint) {
                return true;
            }
        }
        return false;
    }

    /** Draws a candidate at random, by weight. */
    private Endpoint draw() {
        double position = random.nextDouble() * total;
        for (int i = 0; i < count - 1; i++) {
            position -= weights[i];
            if (position < 0) {
                return candidates[i];
            }
        }
        return candidates[count - 1];
    }

    private static Endpoint lessBusy(Endpoint one, Endpoint other, long now) {
        return one.busy() * other.weight(now) <= other.busy() * one.weight(now) ? one : other;
    }
}
