package dev.postern.auth.challenge;

import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ChallengeRule.Context;
import dev.postern.core.route.Route;

/**
 * Scope of a challenge: tokens for one scope are rejected in another.
 *
 * @param route its name
 * @param originInfo as in the challenge
 * @param lapsing whether tokens stay acceptable for longer, for clients in a waiting room. Part of the redemption context: otherwise a
 *     token spent on a route without a waiting room, and forgotten by the ledger two windows later, would be fresh again once a reload adds
 *     a waiting room to the route
 * @param rule of the route
 * @param prefix {@link AddressPrefix#number} of the network where tokens are bound to it, else 0
 */
record ChallengeScope(String route, String originInfo, boolean lapsing, ChallengeRule rule, long prefix) {

    /** @param originNames the names of the settings, joined by commas */
    static ChallengeScope of(PresentationContext context, String originNames) {
        Route route = context.route();
        ListenerInfo listener = context.listener();
        ChallengeRule rule = route.challenge();
        boolean ownName = !listener.reverse() && !listener.originName().isEmpty();
        String origins = rule.originInfo().isEmpty() ? originNames : rule.originInfo();
        // A challenge without a redemption context has no window either.
        boolean lapsing = route.rateLimit() != null && rule.context() != Context.EMPTY;
        return new ChallengeScope(
                route.name(),
                ownName ? listener.originName() : origins,
                lapsing,
                rule,
                rule.context() == Context.PREFIX
                        ? listener.networks().network(context.client()).number()
                        : 0);
    }
}
