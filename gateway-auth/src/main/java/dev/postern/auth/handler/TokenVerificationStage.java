package dev.postern.auth.handler;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.challenge.PresentationContext;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.token.Token;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.TokenVerifier.Candidate;
import dev.postern.auth.verify.TokenVerifier.Decided;
import dev.postern.auth.verify.TokenVerifier.Preview;
import dev.postern.auth.verify.VerificationExecutor;
import dev.postern.auth.verify.VerificationResult;
import dev.postern.core.crypto.Prf;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stage <i>verify</i>: verifies the token from <i>identify</i>, and puts credential and redemption on the exchange when the token is good.
 * An exchange without a token passes, because <i>identify</i> required none.
 */
public final class TokenVerificationStage extends AuthStage {

    private static final ExchangeKey<Boolean> WAITED = ExchangeKey.of("waited-for-key");

    private final TokenVerifier verifier;
    private final Prf credentials;
    private final InstantSource clock;
    private final Supplier<byte[]> epoch;
    private final VerificationDispatcher dispatcher;
    private final KeyFetchWaiters keys;
    private final VerifyMeters meters;

    /**
     * Dependencies of the stage.
     *
     * @param credentials of the key ring, for credentials only
     * @param epoch of the ledger: cheap and thread-safe
     * @param knownSpent whether the ledger knows locally that the key is spent
     * @param verification handles tokens of client networks that send too many forged ones
     * @param refetch fetches an issuer's keys; returns null when no fetch is allowed now
     * @param executor for checks that are too long for an event loop
     * @param batches verifies several tokens at once, where the machine can
     */
    public record Dependencies(
            TokenVerifier verifier,
            Challenger challenger,
            Enforcement enforcement,
            Prf credentials,
            InstantSource clock,
            VerifyMeters meters,
            Supplier<byte[]> epoch,
            Predicate<byte[]> knownSpent,
            DeprioritizedVerification verification,
            Function<String, @Nullable CompletableFuture<Void>> refetch,
            VerificationExecutor executor,
            BatchProvider batches) {}

    public TokenVerificationStage(Dependencies dependencies) {
        super(StageName.VERIFY, dependencies.challenger(), dependencies.enforcement());
        this.verifier = dependencies.verifier();
        this.credentials = dependencies.credentials();
        this.clock = dependencies.clock();
        this.epoch = dependencies.epoch();
        this.dispatcher = new VerificationDispatcher(
                dependencies.verifier(),
                dependencies.verification(),
                dependencies.executor(),
                new TokenBatches(dependencies.batches()),
                dependencies.knownSpent());
        this.keys = new KeyFetchWaiters(dependencies.refetch());
        this.meters = dependencies.meters();
    }

    @Override
    protected void onExchange(Exchange exchange) {
        Token token = exchange.get(TokenDecodingStage.TOKEN);
        if (token == null) {
            skip(exchange);
            return;
        }
        // Read before the challenge is checked: if the ledger loses its data in between, the old epoch shows that the
        // token is older.
        byte[] previous = epoch.get();
        long start = exchange.timeline().lastNanos();
        Preview preview = verifier.preview(token, PresentationContext.of(exchange), clock.instant());
        if (preview instanceof Candidate candidate) {
            PresentedToken presentedToken = new PresentedToken(candidate, previous);
            dispatcher.judge(
                    exchange,
                    presentedToken,
                    enforcement().strict(),
                    result -> give(exchange, presentedToken, result, start));
        } else if (preview instanceof Decided decided
                && !(decided.result() instanceof VerificationResult.UnknownKey unknown
                        && waits(exchange, unknown.issuer()))) {
            measure(exchange, token, decided.result(), start);
            reject(exchange, decided.result());
        }
    }

    /** Returns whether the exchange runs through this stage again, once, after the issuer's keys were fetched. */
    private boolean waits(Exchange exchange, String issuer) {
        if (exchange.get(WAITED) != null) {
            return false;
        }
        exchange.put(WAITED, Boolean.TRUE);
        return keys.await(issuer, exchange.loop(), () -> {
            if (!exchange.ended()) {
                mark(exchange); // the wait for a key is not part of the check
                take(exchange);
            }
        });
    }

    private void give(Exchange exchange, PresentedToken token, VerificationResult result, long start) {
        measure(exchange, token.token(), result, start);
        if (result instanceof VerificationResult.Good good) {
            byte[] id = Arrays.copyOf(credentials.of(token.token().identity()), Credential.LENGTH);
            exchange.credential(new Credential(id, good.lapsed()));
            Instant keyBegan = good.keyBegan();
            exchange.put(
                    Redemption.KEY,
                    keyBegan == null
                            ? new Redemption(token.ledgerKey(), good.until(), token.epoch())
                            : Redemption.endless(token.ledgerKey(), good.until(), keyBegan));
            proceed(exchange);
        } else {
            reject(exchange, result);
        }
    }

    private void reject(Exchange exchange, VerificationResult result) {
        reject(exchange, refusal(result), VerifyMeters.result(result));
    }

    private void measure(Exchange exchange, Token token, VerificationResult result, long start) {
        meters.record(exchange, token.type(), result, mark(exchange) - start);
    }

    /** Returns the refusal for a result. A result that is not the token's fault does not require a new token. */
    private static Refusal refusal(VerificationResult result) {
        if (result instanceof VerificationResult.NoKeys) {
            return Refusal.KEYS_UNAVAILABLE;
        }
        return result instanceof VerificationResult.Busy ? Refusal.VERIFIER_BUSY : Refusal.TOKEN_REQUIRED;
    }
}
