package dev.postern.auth.verify;

import dev.postern.core.route.Listener;
import dev.postern.core.route.Route;

/**
 * What a challenge is for: tokens made for one scope are worth nothing in another.
 *
 * @param route its name
 * @param originInfo as it stands in the challenge
 * @param lapsing whether tokens stay acceptable for longer, for the sake of people who wait in a room. Part of the redemption context:
 *     else a token spent on a route without room, and forgotten by the ledger two windows later, would be fresh again once a reload gives
 *     the route a room
 */
public record ChallengeScope(String route, String originInfo, boolean lapsing) {

    /** @param originNames the names of the settings, joined by commas */
    static ChallengeScope of(Route route, Listener listener, String originNames) {
        boolean ownName = !listener.reverse() && !listener.originName().isEmpty();
        return new ChallengeScope(
                route.name(), ownName ? listener.originName() : originNames, route.rateLimit() != null);
    }
}
