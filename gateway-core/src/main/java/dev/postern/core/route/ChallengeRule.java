package dev.postern.core.route;

import java.util.List;

/**
 * How the challenges of a route are made (RFC 9577 section 2.1.1).
 *
 * @param issuers names in the order in which clients are asked; empty for all, in the order of the settings
 * @param originInfo origin names joined by commas; empty for those of the settings
 * @param context what a token is bound to besides
 */
public record ChallengeRule(List<String> issuers, String originInfo, Context context) {

    public static final ChallengeRule DEFAULT = new ChallengeRule(List.of(), "", Context.WINDOW);

    public ChallengeRule {
        issuers = List.copyOf(issuers);
    }

    /** What the redemption context of a challenge says. */
    public enum Context {
        /** The route and a stretch of time. */
        WINDOW,
        /** Nothing: tokens may be fetched long before, and the ledger remembers them as long as their key. */
        EMPTY,
        /** The route, a stretch of time and the client's network: tokens that were farmed elsewhere are worth nothing. */
        PREFIX
    }
}
