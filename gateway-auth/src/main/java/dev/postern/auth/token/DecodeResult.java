package dev.postern.auth.token;

/** What a credential field turned out to hold. */
public sealed interface DecodeResult {

    /** There is no credential at all. */
    record Missing() implements DecodeResult {}

    /** A credential of another scheme, which is not ours to judge. */
    record OtherScheme() implements DecodeResult {}

    /**
     * Something that claims to be a PrivateToken and is none.
     *
     * @param why for the log: a rule of the grammar, never a piece of the credential
     */
    record Malformed(String why) implements DecodeResult {}

    /** A token of a reserved type: sent on purpose by clients that have none (RFC 9577 section 4.1). */
    record Grease() implements DecodeResult {}

    /** Of a type that this gateway does not ask for, known or not; what follows the type is not looked at. */
    record Unsupported() implements DecodeResult {}

    /** A token whose length is right for its type; nothing else was checked. */
    record Decoded(Token token) implements DecodeResult {}
}
