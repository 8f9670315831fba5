package dev.postern.auth.handler;

import dev.postern.auth.batch.SignedToken;
import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.Token;
import dev.postern.auth.verify.SignatureCheck;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Token that waits for its batch, with the key that was accepted when it arrived. Confined to the event loop of its exchange.
 *
 * @param check verifies this token alone
 * @param result called with whether the token is valid
 */
record WaitingToken(Exchange exchange, Token token, RsaKey key, SignatureCheck check, Consumer<Boolean> result)
        implements SignedToken {

    private static final Logger LOG = LoggerFactory.getLogger(WaitingToken.class);

    boolean alone() {
        return check.accepts(token);
    }

    /** Continues the exchange; never throws, since the rest of the batch must get its results. */
    void verified(boolean valid) {
        try {
            result.accept(valid);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Refuses the exchange after an error of the gateway. */
    void failed(RuntimeException cause) {
        LOG.error("verification of a batch failed", cause);
        if (!exchange.ended()) {
            exchange.refuse(Refusal.INTERNAL);
        }
    }
}
