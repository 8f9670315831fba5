package dev.postern.auth.verify;

import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.KeyFormat;

/** How tokens of a type are checked. */
public interface Verification extends KeyFormat {

    /**
     * A check of that key for one thread; for any number of them where it is {@link SignatureCheck#costly}.
     *
     * @param provider whose arithmetic to use where there is a choice
     */
    SignatureCheck check(IssuerKey key, SignatureProvider provider);
}
