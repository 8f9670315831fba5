package dev.postern.auth.issue;

import dev.postern.auth.token.Token;

/**
 * A token that waits for its issuer's answer (RFC 9578 sections 5 and 6): what to send, and how to make the token of the answer. Holds the
 * blinding, which must never leave the client: whoever has it can link token and request.
 */
public interface PendingToken {

    TokenRequest request();

    /** The finished token; throws {@link IllegalArgumentException} when the answer is not the issuer's to this request. */
    Token finish(byte[] response);
}
