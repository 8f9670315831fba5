package dev.postern.auth.token;

/** Result of decoding a credential field. */
public sealed interface DecodeResult {

    /** No credential. */
    record Missing() implements DecodeResult {}

    /** Credential of another scheme, which this gateway does not check. */
    record OtherScheme() implements DecodeResult {}

    /**
     * Malformed PrivateToken credential.
     *
     * @param why for the log: a rule of the grammar, never a part of the credential
     */
    record Malformed(String why) implements DecodeResult {}

    /** Token of a reserved type: sent intentionally by clients without a token (RFC 9577 section 4.1). */
    record Grease() implements DecodeResult {}

    /** Token of a type that this gateway does not offer, known or not; the bytes after the type are not checked. */
    record Unsupported() implements DecodeResult {}

    /** Token with the right length for its type; nothing else was checked. */
    record Decoded(Token token) implements DecodeResult {}
}
