package dev.postern.auth.issue;

import dev.postern.auth.token.Token;

/**
 * A token that waits for its issuer's response (RFC 9578 sections 5 and 6): what to send, and how to make the token of the response. Holds the
 * blinding, which must never leave the client: whoever has it can link token and request.
 */
public interface PendingToken {

    TokenRequest request();

    /** The finished token; throws {@link IllegalArgumentException} when the response is not the issuer's to this request. */
    Token finish(byte[] response);
}
