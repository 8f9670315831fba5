package dev.postern.auth.verify;

import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ChallengeRule.Context;
import dev.postern.core.route.Route;

/**
 * What a challenge is for: tokens made for one scope are worth nothing in another.
 *
 * @param route its name
 * @param originInfo as it stands in the challenge
 * @param lapsing whether tokens stay acceptable for longer, for the sake of people who wait in a room. Part of the redemption context:
 *     else a token spent on a route without room, and forgotten by the ledger two windows later, would be fresh again once a reload gives
 *     the route a room
 * @param rule of the route
 * @param prefix {@link ClientPrefix#number} where tokens are bound to it, else 0
 */
record ChallengeScope(String route, String originInfo, boolean lapsing, ChallengeRule rule, long prefix) {

    /** @param originNames the names of the settings, joined by commas */
    static ChallengeScope of(PresentationContext context, String originNames) {
        Route route = context.route();
        ListenerInfo listener = context.listener();
        ChallengeRule rule = route.challenge();
        boolean ownName = !listener.reverse() && !listener.originName().isEmpty();
        String origins = rule.originInfo().isEmpty() ? originNames : rule.originInfo();
        // A challenge without context has no time either.
        boolean lapsing = route.rateLimit() != null && rule.context() != Context.EMPTY;
        return new ChallengeScope(
                route.name(),
                ownName ? listener.originName() : origins,
                lapsing,
                rule,
                rule.context() == Context.PREFIX ? ClientPrefix.number(context.client()) : 0);
    }
}
