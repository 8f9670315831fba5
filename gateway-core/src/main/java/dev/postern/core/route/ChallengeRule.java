package dev.postern.core.route;

import java.util.List;

/**
 * Rule that makes the challenges of a route (RFC 9577 section 2.1.1).
 *
 * @param issuers names in the order in which the challenges offer them; empty for all, in the order of the settings
 * @param originInfo origin names joined by commas; empty for those of the settings
 * @param context what else a token is bound to
 */
public record ChallengeRule(List<String> issuers, String originInfo, Context context) {

    public static final ChallengeRule DEFAULT = new ChallengeRule(List.of(), "", Context.WINDOW);

    public ChallengeRule {
        issuers = List.copyOf(issuers);
    }

    /** Content of the redemption context of a challenge. */
    public enum Context {
        /** The route and a time window. */
        WINDOW,
        /** Empty: clients may fetch tokens long before, and the ledger remembers a token as long as its key is valid. */
        EMPTY,
        /** The route, a time window and the client's network: tokens that were issued to clients of other networks are invalid. */
        PREFIX
    }
}
