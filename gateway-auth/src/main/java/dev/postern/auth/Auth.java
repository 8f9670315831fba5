package dev.postern.auth;

import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.budget.DeprioritizedVerification;
import dev.postern.auth.budget.FailureBudget;
import dev.postern.auth.challenge.ChallengeWindows;
import dev.postern.auth.challenge.Challenges;
import dev.postern.auth.handler.ChallengeWriter;
import dev.postern.auth.handler.Challenger;
import dev.postern.auth.handler.Enforcement;
import dev.postern.auth.handler.SpendStage;
import dev.postern.auth.handler.TokenDecodingStage;
import dev.postern.auth.handler.TokenVerificationStage;
import dev.postern.auth.handler.VerifyMeters;
import dev.postern.auth.key.IssuerKeys;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.key.IssuerStatus;
import dev.postern.auth.key.KeyTable;
import dev.postern.auth.session.SessionCookies;
import dev.postern.auth.token.Grease;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.CryptoProvider;
import dev.postern.auth.verify.EventLoopVerifiers;
import dev.postern.auth.verify.KeyLifetime;
import dev.postern.auth.verify.SignatureProvider;
import dev.postern.auth.verify.TokenVerifier;
import dev.postern.auth.verify.VerificationExecutor;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.FieldName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.pipeline.ExchangeStage;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of token authentication: the stages <i>identify</i> and <i>verify</i>, the challenges of a refusal, and the issuers' keys.
 * The spend ledger is separate, in package {@code spend}.
 *
 * <p>Thread-safe; the handlers are shared by all connections.
 */
public final class Auth implements AutoCloseable {

    private final IssuerKeys keys;
    private final InstantSource clock;
    private final CryptoProvider provider;
    private final CryptoProvider batchProvider;
    private final Challenger challenger;
    private final SpendStage.Terms terms;
    private final ExchangeStage decoding;
    private final ExchangeStage verification;
    private final VerificationExecutor executor = new VerificationExecutor();
    private final VerifyMeters verifications = new VerifyMeters();

    private Auth(AuthSettings settings, Environment environment, IssuerKeys keys) {
        this.keys = keys;
        this.clock = environment.clock();
        KeyRing ring = environment.ring();
        MeterRegistry registry = environment.registry();
        Memory memory = environment.memory();
        List<TokenType> types = settings.types();
        SignatureProvider signatures = SignatureProvider.choose();
        this.provider = signatures.description();
        BatchProvider batches = BatchProvider.choose();
        this.batchProvider = batches.description();
        Challenges challenges = new Challenges(
                new Challenges.Settings(
                        environment.namespace(),
                        String.join(",", settings.originNames()),
                        settings.issuers().stream().map(IssuerSettings::name).toList(),
                        types,
                        new ChallengeWindows(settings.challengeWindow(), settings.clockSkew())),
                ring.prf("challenge"),
                memory.epoch());
        challenges.bind(registry);
        Supplier<KeyTable> table = keys::table;
        ChallengeWriter writer = new ChallengeWriter(
                challenges, table, clock, settings.grease() ? new Grease(new SecureRandom()) : null);
        this.challenger = writer;
        Enforcement enforcement = settings.enforcement() == AuthSettings.Mode.REPORT_ONLY
                ? Enforcement.reportOnly(registry, writer::offer)
                : Enforcement.STRICT;
        SessionCookies cookies = environment.sessions()
                ? new SessionCookies(settings.session(), environment.namespace(), ring.seal("session"), clock)
                : null;
        this.terms = new SpendStage.Terms(enforcement, cookies);
        DeprioritizedVerification deprioritizedVerification = new DeprioritizedVerification(
                new FailureBudget(settings.failureBudget().gcra(), new SecureRandom().nextLong()), registry);
        this.decoding = new TokenDecodingStage(
                FieldName.of(settings.tokenHeader()),
                types,
                challenger,
                enforcement,
                deprioritizedVerification,
                cookies);
        this.verification = new TokenVerificationStage(new TokenVerificationStage.Dependencies(
                new TokenVerifier(
                        table,
                        challenges,
                        new EventLoopVerifiers(signatures),
                        new KeyLifetime(settings.keyMaxLifetime(), settings.clockSkew())),
                challenger,
                enforcement,
                ring.prf("credential"),
                clock,
                verifications,
                memory.epoch(),
                memory.knownSpent(),
                deprioritizedVerification,
                keys::refetch,
                executor,
                batches));
        Gauge earlier = registry.find(Meters.VERIFY_WAITING.meter()).gauge();
        if (earlier != null) {
            // the gauge of the configuration before a reload would still read the old executor
            registry.remove(earlier);
        }
        Meters.VERIFY_WAITING.gauge(registry, executor::waiting);
    }

    /**
     * Functions of the spend ledger that the stages call; cheap and thread-safe.
     *
     * @param epoch as {@code SpendLedger.epoch}
     * @param knownSpent as {@code SpendLedger.knownSpent}
     */
    public record Memory(Supplier<byte[]> epoch, Predicate<byte[]> knownSpent) {}

    /**
     * Environment: the objects that token authentication shares with the rest of the process.
     *
     * @param namespace of the instance: gateways with different namespaces have separate ledgers and reject each other's tokens
     * @param sessions whether there are routes with {@code token: session}
     * @param ring keys that all replicas share
     */
    public record Environment(
            String namespace,
            boolean sessions,
            KeyRing ring,
            MeterRegistry registry,
            InstantSource clock,
            Ticker ticker,
            Memory memory) {}

    /**
     * Reads static keys, chooses the crypto provider by self-test and starts to fetch the issuers' directories, without waiting for them.
     *
     * @throws IllegalArgumentException stating which setting is wrong
     */
    public static Auth open(AuthSettings settings, Environment environment) {
        IssuerKeys keys = IssuerKeys.open(
                settings.issuers(),
                settings.keyCache(),
                settings.clockSkew(),
                new IssuerKeys.Environment(environment.registry(), environment.clock(), environment.ticker()));
        try {
            return new Auth(settings, environment, keys);
        } catch (RuntimeException e) {
            keys.close();
            throw e;
        }
    }

    /** Returns the stage <i>identify</i>, which takes the token out of the request. */
    public ExchangeStage decoding() {
        return decoding;
    }

    /** Returns the stage <i>verify</i>, which verifies the token and leaves a {@link dev.postern.auth.spend.Redemption} for the ledger. */
    public ExchangeStage verification() {
        return verification;
    }

    /** Returns the challenger for the stage <i>spend</i>, which refuses with a new challenge. */
    public Challenger challenger() {
        return challenger;
    }

    /** Returns the enforcement and the session cookies for the stage <i>spend</i>. */
    public SpendStage.Terms terms() {
        return terms;
    }

    /** Returns the durations of signature checks: {@link Meters#TOKEN_VERIFY}. */
    public StripedHistogram verifications() {
        return verifications.histogram();
    }

    /** Returns the crypto provider that checks signatures, and why it was chosen. */
    public CryptoProvider provider() {
        return provider;
    }

    /** Returns the time of the clock that decides about keys. */
    public Instant now() {
        return clock.instant();
    }

    /** Returns the library that checks several signatures at once, or none, and why. */
    public CryptoProvider batchProvider() {
        return batchProvider;
    }

    /** Returns the issuers and their keys, for operators. */
    public List<IssuerStatus> issuers() {
        return keys.status();
    }

    /**
     * Fetches an issuer's directory again, on request of an operator.
     *
     * @return completes normally when the fetch has ended; null when the issuer has no directory or the last fetch began less than five
     *     seconds ago
     */
    public @Nullable CompletableFuture<Void> refreshKeys(String issuer) {
        return keys.refetch(issuer);
    }

    /**
     * Drops a key at once and until this process ends; tokens under the key no longer pass.
     *
     * @param keyId 64 hex digits in lower case
     * @return false when that issuer has no such key
     */
    public boolean dropKey(String issuer, String keyId) {
        return keys.drop(issuer, keyId);
    }

    /** Returns whether any token can be verified now; otherwise every exchange that needs a token is refused. */
    public boolean hasKeys() {
        return keys.table().usable(clock.instant());
    }

    /** Waits until the first fetch of each issuer's directory has ended, with or without success; for start-up, never on an event loop. */
    public void awaitIssuers(Duration limit) throws InterruptedException {
        keys.awaitFirst(limit);
    }

    @Override
    public void close() {
        keys.close();
        executor.close();
    }
}
