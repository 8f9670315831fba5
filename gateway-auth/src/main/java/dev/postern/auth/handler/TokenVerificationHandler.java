package dev.postern.auth.handler;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.token.Token;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.verify.Place;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.Verdict;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Slot;
import dev.postern.core.exchange.Stage;
import dev.postern.core.pipeline.ExchangeHandler;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.seal.Prf;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelHandlerContext;
import java.time.Instant;
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

    private final TokenVerifier verifier;
    private final Challenger challenger;
    private final Enforcement enforcement;
    private final Prf credentials;
    private final InstantSource clock;
    private final Supplier<byte[]> epoch;
    private final KeyWait keys;
    private final VerifyMeters meters;

    /**
     * What it works with.
     *
     * @param credentials of the ring, for credentials alone
     * @param epoch of the ledger: cheap and thread-safe
     * @param refetch asks an issuer for its keys; null when it may not be asked now
     */
    public record Parts(
            TokenVerifier verifier,
            Challenger challenger,
            Enforcement enforcement,
            Prf credentials,
            InstantSource clock,
            MeterRegistry registry,
            Supplier<byte[]> epoch,
            Function<String, @Nullable CompletableFuture<Void>> refetch) {}

    public TokenVerificationHandler(Parts parts) {
        super(Stage.VERIFY);
        this.verifier = parts.verifier();
        this.challenger = parts.challenger();
        this.enforcement = parts.enforcement();
        this.credentials = parts.credentials();
        this.clock = parts.clock();
        this.epoch = parts.epoch();
        this.keys = new KeyWait(parts.refetch());
        this.meters = new VerifyMeters(parts.registry());
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        Token token = exchange.get(TokenDecodingHandler.TOKEN);
        if (token == null) {
            pass(ctx, exchange);
            return;
        }
        // Taken before the challenge is looked at: if the ledger loses its memory in between, it sees that this token
        // is of before.
        byte[] before = epoch.get();
        Verdict verdict = verify(exchange, token);
        if (!(verdict instanceof Verdict.UnknownKey unknown && waits(ctx, exchange, unknown.issuer()))) {
            decide(ctx, exchange, token, verdict, before);
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
        Verdict verdict = verifier.verify(token, Place.of(exchange), exchange.loop(), clock.instant());
        meters.record(token.type(), verdict, System.nanoTime() - start);
        return verdict;
    }

    private void decide(ChannelHandlerContext ctx, Exchange exchange, Token token, Verdict verdict, byte[] before) {
        if (verdict instanceof Verdict.Good good) {
            byte[] identity = token.identity();
            byte[] id = Arrays.copyOf(credentials.of(identity), Credential.LENGTH);
            byte[] key = Arrays.copyOf(TokenChallenge.sha256(identity).toArray(), Redemption.KEY_LENGTH);
            exchange.credential(new Credential(id, good.lapsed()));
            Instant keyBegan = good.keyBegan();
            exchange.put(
                    Redemption.SLOT,
                    keyBegan == null
                            ? new Redemption(key, good.until(), before)
                            : Redemption.endless(key, good.until(), keyBegan));
            pass(ctx, exchange);
        } else {
            turnAway(ctx, exchange, verdict);
        }
    }

    private void turnAway(ChannelHandlerContext ctx, Exchange exchange, Verdict verdict) {
        boolean keyless = verdict instanceof Verdict.NoKeys;
        String reason = VerifyMeters.result(verdict);
        if (enforcement.overlooks(exchange, keyless ? Refusal.KEYS_UNAVAILABLE : Refusal.TOKEN_REQUIRED, reason)) {
            pass(ctx, exchange);
        } else if (keyless) {
            exchange.outcome().reason(reason);
            refuse(exchange, Refusal.KEYS_UNAVAILABLE);
        } else {
            exchange.timeline().mark(Stage.VERIFY);
            challenger.challenge(exchange, reason);
        }
    }
}
