package dev.postern.app.credential;

import java.util.function.Function;

/**
 * Rule of the table: a credential derived from a valid token, and the outcome of both.
 *
 * @param name of the fault
 * @param rule source of the rule
 * @param expected response to the credential
 * @param token outcome of the valid token
 * @param fields lines of the head with the credential
 */
record Row(String name, String rule, ExpectedResponse expected, Fate token, Function<Material, String> fields) {

    /** Outcome of the valid token. */
    enum Fate {
        /** The token is still valid and can be redeemed once. */
        KEPT,
        /** The credential contains the token itself. */
        REDEEMED,
        /** The token was redeemed before the credential is sent. */
        SPENT_BEFORE
    }

    /** Creates a rule for a credential that does not affect the token. */
    static Row bad(String name, String rule, ExpectedResponse expected, Function<Material, String> fields) {
        return new Row(name, rule, expected, Fate.KEPT, fields);
    }

    /** Creates a rule for the token itself in an unusual but valid form. */
    static Row odd(String name, String rule, Function<Material, String> fields) {
        return new Row(name, rule, ExpectedResponse.GOOD, Fate.REDEEMED, fields);
    }

    /** Creates a rule for another valid token that is independent of the first. */
    static Row other(String name, String rule, Function<Material, String> fields) {
        return new Row(name, rule, ExpectedResponse.GOOD, Fate.KEPT, fields);
    }

    /** Creates a rule for the token after it was redeemed. */
    static Row late(String name, String rule, Function<Material, String> fields) {
        return new Row(name, rule, ExpectedResponse.SPENT, Fate.SPENT_BEFORE, fields);
    }

    @Override
    public String toString() {
        return name + " (" + rule + ")";
    }
}
