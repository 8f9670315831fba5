package dev.postern.app.credential;

import java.util.function.Function;

/**
 * One rule: a credential made of a good token, and what becomes of both.
 *
 * @param name what is bad, odd or forged about it
 * @param rule where it is written that this is so
 * @param expected how the credential is answered
 * @param token what becomes of the good token that it was made of
 * @param fields the lines of the head that carry it
 */
record Row(String name, String rule, Expected expected, Fate token, Function<Material, String> fields) {

    /** What becomes of the good token. */
    enum Fate {
        /** It is still there and can be redeemed once. */
        KEPT,
        /** The odd credential was the token itself. */
        REDEEMED,
        /** It was redeemed before the credential is sent. */
        SPENT_BEFORE
    }

    /** A credential that costs the token nothing. */
    static Row bad(String name, String rule, Expected expected, Function<Material, String> fields) {
        return new Row(name, rule, expected, Fate.KEPT, fields);
    }

    /** The token itself, oddly put but good. */
    static Row odd(String name, String rule, Function<Material, String> fields) {
        return new Row(name, rule, Expected.GOOD, Fate.REDEEMED, fields);
    }

    /** Another good token, which has nothing to do with the first. */
    static Row other(String name, String rule, Function<Material, String> fields) {
        return new Row(name, rule, Expected.GOOD, Fate.KEPT, fields);
    }

    /** The token again, after it was redeemed. */
    static Row late(String name, String rule, Function<Material, String> fields) {
        return new Row(name, rule, Expected.SPENT, Fate.SPENT_BEFORE, fields);
    }

    @Override
    public String toString() {
        return name + " (" + rule + ")";
    }
}
