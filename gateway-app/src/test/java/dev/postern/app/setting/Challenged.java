package dev.postern.app.setting;

import dev.postern.auth.token.ChallengeField;
import dev.postern.auth.token.TokenChallenge;
import java.util.List;

/** What stands in the field of a challenge. */
final class Challenged {

    private Challenged() {}

    static TokenChallenge first(String field) {
        List<ChallengeField> fields = ChallengeField.parse(field);
        TokenChallenge challenge =
                fields == null ? null : TokenChallenge.decode(fields.get(0).challenge());
        if (challenge == null) {
            throw new IllegalArgumentException(field + " (expected: a challenge)");
        }
        return challenge;
    }

    static String originInfo(String field) {
        return first(field).originInfo();
    }

    /** Seconds for which it is accepted. */
    static long maxAge(String field) {
        return Long.parseLong(field.replaceAll("(?s).*max-age=\"?([0-9]+).*", "$1"));
    }
}
