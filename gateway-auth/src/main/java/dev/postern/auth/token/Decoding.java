package dev.postern.auth.token;

/** What a credential field turned out to hold. */
public sealed interface Decoding {

    /** There is no credential at all. */
    record Missing() implements Decoding {}

    /** A credential of another scheme, which is not ours to judge. */
    record OtherScheme() implements Decoding {}

    /**
     * Something that claims to be a PrivateToken and is none.
     *
     * @param why for the log: a rule of the grammar, never a piece of the credential
     */
    record Malformed(String why) implements Decoding {}

    /** A token of a reserved type: sent on purpose by clients that have none (RFC 9577 section 4.1). */
    record Grease() implements Decoding {}

    /** Of a type that this gateway does not ask for, known or not; what follows the type is not looked at. */
    record Unsupported() implements Decoding {}

    /** A token whose length is right for its type; nothing else was checked. */
    record Decoded(Token token) implements Decoding {}
}
