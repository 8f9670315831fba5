package dev.postern.auth.verify;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.KeyFormat;

/** Verification of tokens of a type. */
public interface Verification extends KeyFormat {

    /**
     * Returns a check of that key for one thread; for any number of threads if it is {@link SignatureCheck#costly}.
     *
     * @param provider used where there is a choice
     */
    SignatureCheck check(IssuerKey key, SignatureProvider provider);
}
