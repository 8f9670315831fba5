package dev.postern.auth.handler;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.Verdict;
import dev.postern.auth.verify.Workers;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Slot;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.seal.Prf;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelHandlerContext;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * <i>Verify</i>: judges the token that <i>identify</i> found, and leaves credential and redemption on the exchange when it is good. An
 * exchange without token passes, since whoever let it come here wanted none.
 */
public final class TokenVerificationHandler extends ExchangeHandler {

    private static final Slot<Boolean> WAITED = Slot.of("waited-for-key");
    private static final Slot<Judged> JUDGED = Slot.of("judged");
    private static final Verdict INVALID = new Verdict.Invalid();

    private final TokenVerifier verifier;
    private final Challenger challenger;
    private final Prf credentials;
    private final InstantSource clock;
    private final Supplier<byte[]> epoch;
    private final KeyWait keys;
    private final Workers workers;
    private final VerifyMeters meters;

    /**
     * What it works with.
     *
     * @param credentials of the ring, for credentials alone
     * @param epoch of the ledger: cheap and thread-safe
     * @param refetch asks an issuer for its keys; null when it may not be asked now
     * @param workers for checks that are too long for an event loop
     */
    public record Parts(
            TokenVerifier verifier,
            Challenger challenger,
            Prf credentials,
            InstantSource clock,
            MeterRegistry registry,
            Supplier<byte[]> epoch,
            Function<String, @Nullable CompletableFuture<Void>> refetch,
            Workers workers) {}

    /**
     * What a worker found, for the exchange's second visit here.
     *
     * @param before the ledger's epoch when the challenge was looked at
     */
    private record Judged(Verdict verdict, byte[] before) {}

    public TokenVerificationHandler(Parts parts) {
        super(Stage.VERIFY);
        this.verifier = parts.verifier();
        this.challenger = parts.challenger();
        this.credentials = parts.credentials();
        this.clock = parts.clock();
        this.epoch = parts.epoch();
        this.keys = new KeyWait(parts.refetch());
        this.workers = parts.workers();
        this.meters = new VerifyMeters(parts.registry());
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        Token token = exchange.get(TokenDecodingHandler.TOKEN);
        if (token == null) {
            pass(ctx, exchange);
            return;
        }
        Judged judged = exchange.get(JUDGED);
        if (judged != null) {
            decide(ctx, exchange, token, judged.verdict(), judged.before());
            return;
        }
        // Taken before the challenge is looked at: if the ledger loses its memory in between, it sees that this token
        // is of before.
        byte[] before = epoch.get();
        Verdict verdict = verify(exchange, token);
        if (verdict instanceof Verdict.Costly costly) {
            handOver(ctx, exchange, token, costly, before);
        } else if (!(verdict instanceof Verdict.UnknownKey unknown && waits(ctx, exchange, unknown.issuer()))) {
            decide(ctx, exchange, token, verdict, before);
        }
    }

    /** Suspends the exchange until a worker has checked its token; it comes here again then, on its own loop. */
    private void handOver(
            ChannelHandlerContext ctx, Exchange exchange, Token token, Verdict.Costly costly, byte[] before) {
        long start = System.nanoTime();
        boolean taken = workers.offer(() -> costly.check().accepts(token), exchange.loop(), answer -> {
            if (answer == Workers.Answer.GIVEN_UP) {
                busy(exchange, token, System.nanoTime() - start);
                return;
            }
            Verdict verdict = answer == Workers.Answer.ACCEPTED ? costly.good() : INVALID;
            meters.record(token.type(), VerifyMeters.result(verdict), System.nanoTime() - start);
            if (!exchange.ended()) {
                exchange.put(JUDGED, new Judged(verdict, before));
                channelRead(ctx, exchange);
            }
        });
        if (!taken) {
            busy(exchange, token, System.nanoTime() - start);
        }
    }

    private void busy(Exchange exchange, Token token, long nanos) {
        meters.record(token.type(), "busy", nanos);
        if (!exchange.ended()) {
            exchange.outcome().reason("verifier-busy");
            refuse(exchange, Refusal.VERIFIER_BUSY);
        }
    }

    /** Whether the exchange will come here again, once, when its issuer was asked for the key. */
    private boolean waits(ChannelHandlerContext ctx, Exchange exchange, String issuer) {
        if (exchange.get(WAITED) != null) {
            return false;
        }
        exchange.put(WAITED, Boolean.TRUE);
        return keys.await(issuer, exchange.loop(), () -> {
            if (!exchange.ended()) {
                channelRead(ctx, exchange);
            }
        });
    }

    private Verdict verify(Exchange exchange, Token token) {
        long start = System.nanoTime();
        Verdict verdict = verifier.verify(
                token, exchange.route(), exchange.client().listener(), exchange.loop(), clock.instant());
        if (!(verdict instanceof Verdict.Costly)) {
            meters.record(token.type(), VerifyMeters.result(verdict), System.nanoTime() - start);
        }
        return verdict;
    }

    private void decide(ChannelHandlerContext ctx, Exchange exchange, Token token, Verdict verdict, byte[] before) {
        if (verdict instanceof Verdict.Good good) {
            byte[] identity = token.identity();
            byte[] id = Arrays.copyOf(credentials.of(identity), Credential.LENGTH);
            byte[] key = Arrays.copyOf(TokenChallenge.sha256(identity).toArray(), Redemption.KEY_LENGTH);
            exchange.credential(new Credential(id, good.lapsed()));
            exchange.put(Redemption.SLOT, new Redemption(key, good.until(), before));
            pass(ctx, exchange);
        } else if (verdict instanceof Verdict.NoKeys) {
            exchange.outcome().reason("no-keys");
            refuse(exchange, Refusal.KEYS_UNAVAILABLE);
        } else {
            exchange.timeline().mark(Stage.VERIFY);
            challenger.challenge(exchange, VerifyMeters.result(verdict));
        }
    }
}
