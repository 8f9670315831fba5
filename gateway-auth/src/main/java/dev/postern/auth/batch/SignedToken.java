package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Token;

/** Token of type 2 whose signature is to be verified, and the key for it. */
public interface SignedToken {

    Token token();

    RsaKey key();
}
