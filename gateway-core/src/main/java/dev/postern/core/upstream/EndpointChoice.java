package dev.postern.core.upstream;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Chooses an endpoint: the less busy one of two drawn at random (Mitzenmacher, "The Power of Two Choices"), or each in turn. One per event
 * loop.
 */
final class EndpointChoice {

    private final UpstreamSettings.Balance balance;
    private final SplittableRandom random;
    private int turn;

    EndpointChoice(UpstreamSettings.Balance balance, long seed) {
        this.balance = balance;
        this.random = new SplittableRandom(seed);
    }

    /**
     * An endpoint that is not banned; when all are, any, since a chance is better than none.
     *
     * @param avoid one that failed this exchange already; taken only when there is no other
     */
    Endpoint choose(List<Endpoint> endpoints, long now, @Nullable Endpoint avoid) {
        if (endpoints.size() == 1) {
            return endpoints.get(0);
        }
        List<Endpoint> good =
                endpoints.stream().filter(e -> e != avoid && !e.banned(now)).toList();
        if (good.isEmpty()) {
            good = endpoints;
        }
        if (balance == UpstreamSettings.Balance.ROUND_ROBIN) {
            turn = (turn + 1) & Integer.MAX_VALUE;
            return good.get(turn % good.size());
        }
        Endpoint one = good.get(random.nextInt(good.size()));
        Endpoint other = good.get(random.nextInt(good.size()));
        return one.busy() <= other.busy() ? one : other;
    }
}
