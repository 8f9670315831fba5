package dev.postern.auth.issue;

import dev.postern.auth.token.Token;

/**
 * Pending token that waits for its issuer's response (RFC 9578 sections 5 and 6): the request to send, and the conversion of the response
 * to a token. Contains the blinding, which must never leave the client: with the blinding, token and request can be linked.
 */
public interface PendingToken {

    TokenRequest request();

    /** Returns the token; throws {@link IllegalArgumentException} when the response is not the issuer's response to this request. */
    Token finish(byte[] response);
}
