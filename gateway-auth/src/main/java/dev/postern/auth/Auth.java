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
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageSlot;
import dev.postern.core.route.RoutingSnapshot;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of token authentication: the stages <i>identify</i> and <i>verify</i>, the challenges of a refusal, and the issuers' keys.
 * The spend ledger is separate, in package {@code spend}.
 *
 * <p>What depends on the settings is an {@link AuthGeneration}; {@link #prepare} makes the next one, {@link #take} puts it into force. Each
 * exchange keeps the generation of its configuration.
 *
 * <p>Thread-safe; the handlers are shared by all connections.
 */
public final class Auth implements AutoCloseable {

    private static final Duration FIRST_KEYS = Duration.ofSeconds(2);

    private final Environment environment;
    private final SignatureProvider signatures = SignatureProvider.choose();
    private final BatchProvider batches = BatchProvider.choose();
    private final VerificationExecutor executor = new VerificationExecutor();
    private final VerifyMeters verifications = new VerifyMeters();
    private final StageSlot decoding =
            new StageSlot(StageName.IDENTIFY, exchange -> of(exchange).decoding());
    private final StageSlot verification =
            new StageSlot(StageName.VERIFY, exchange -> of(exchange).verification());
    private final StageSlot spending = new StageSlot(StageName.SPEND, this::spendStage);
    private volatile @Nullable Spending spender;
    private volatile AuthGeneration current;

    private Auth(AuthSettings settings, Environment environment, IssuerKeys keys) {
        this.environment = environment;
        this.current = generation(new AuthGeneration.Basis(settings, environment.sessions(), environment.ring()), keys);
        Gauge earlier =
                environment.registry().find(Meters.VERIFY_WAITING.meter()).gauge();
        if (earlier != null) {
            // The gauge of an earlier instance would still read its executor.
            environment.registry().remove(earlier);
        }
        Meters.VERIFY_WAITING.gauge(environment.registry(), executor::waiting);
        current.challenges().bind(environment.registry());
    }

    /** Maker of the stage that spends tokens, for each generation. */
    @FunctionalInterface
    public interface Spending {

        ExchangeStage stage(Challenger challenger, SpendStage.Terms terms);
    }

    private AuthGeneration generation(AuthGeneration.Basis basis, IssuerKeys keys) {
        AuthSettings settings = basis.settings();
        KeyRing ring = basis.ring();
        MeterRegistry registry = environment.registry();
        InstantSource clock = environment.clock();
        Memory memory = environment.memory();
        List<TokenType> types = settings.types();
        Challenges challenges = new Challenges(
                new Challenges.Settings(
                        environment.namespace(),
                        String.join(",", settings.originNames()),
                        settings.issuers().stream().map(IssuerSettings::name).toList(),
                        types,
                        new ChallengeWindows(settings.challengeWindow(), settings.clockSkew())),
                ring.prf("challenge"),
                memory.epoch());
        Supplier<KeyTable> table = keys::table;
        ChallengeWriter writer = new ChallengeWriter(
                challenges, table, clock, settings.grease() ? new Grease(new SecureRandom()) : null);
        Enforcement enforcement = settings.enforcement() == AuthSettings.Mode.REPORT_ONLY
                ? Enforcement.reportOnly(registry, writer::offer)
                : Enforcement.STRICT;
        SessionCookies cookies = basis.sessions()
                ? new SessionCookies(settings.session(), environment.namespace(), ring.seal("session"), clock)
                : null;
        SpendStage.Terms terms = new SpendStage.Terms(enforcement, cookies);
        DeprioritizedVerification deprioritizedVerification = new DeprioritizedVerification(
                new FailureBudget(settings.failureBudget().gcra(), new SecureRandom().nextLong()), registry);
        Spending spends = spender;
        return new AuthGeneration(
                basis,
                keys,
                challenges,
                writer,
                terms,
                decoding.adopt(new TokenDecodingStage(
                        FieldName.of(settings.tokenHeader()),
                        types,
                        writer,
                        enforcement,
                        deprioritizedVerification,
                        cookies)),
                verification.adopt(new TokenVerificationStage(new TokenVerificationStage.Dependencies(
                        new TokenVerifier(
                                table,
                                challenges,
                                new EventLoopVerifiers(signatures),
                                new KeyLifetime(settings.keyMaxLifetime(), settings.clockSkew())),
                        writer,
                        enforcement,
                        ring.prf("credential"),
                        clock,
                        verifications,
                        memory.epoch(),
                        memory.knownSpent(),
                        deprioritizedVerification,
                        keys::refetch,
                        executor,
                        batches))),
                spends == null ? null : spending.adopt(spends.stage(writer, terms)));
    }

    /** Returns the generation that applies to an exchange: that of its configuration. */
    private AuthGeneration of(Exchange exchange) {
        return RoutingSnapshot.tokensOf(exchange) instanceof AuthGeneration own ? own : current;
    }

    private ExchangeStage spendStage(Exchange exchange) {
        ExchangeStage stage = of(exchange).spend();
        if (stage == null) {
            throw new IllegalStateException("spend: no stage (expected: one, since the gateway has a ledger)");
        }
        return stage;
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
     * @param ring keys that all replicas share, for the first generation
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

    /** Returns the stage <i>spend</i>, whose stages that maker makes; called once. */
    public ExchangeStage spending(Spending maker) {
        spender = maker;
        AuthGeneration first = current;
        current = first.with(spending.adopt(maker.stage(first.challenger(), first.terms())));
        return spending;
    }

    /** Returns the generation in force. */
    public AuthGeneration current() {
        return current;
    }

    /**
     * Makes the generation of changed settings; the one in force, if nothing has changed. Waits up to two seconds for the directories of
     * issuers without keys; not for an event loop. Either {@link #take} or {@link #drop} follows.
     *
     * @throws IllegalArgumentException stating which setting is wrong
     */
    public AuthGeneration prepare(AuthGeneration.Basis basis) {
        AuthGeneration running = current;
        AuthSettings settings = basis.settings();
        if (basis.equals(running.basis())) {
            return running;
        }
        AuthSettings before = running.basis().settings();
        boolean same = settings.issuers().equals(before.issuers())
                && settings.clockSkew().equals(before.clockSkew())
                && Objects.equals(settings.keyCache(), before.keyCache());
        IssuerKeys keys = same
                ? running.keys()
                : running.keys().next(settings.issuers(), settings.keyCache(), settings.clockSkew());
        try {
            if (keys.incomplete() && !same) {
                keys.awaitFirst(FIRST_KEYS);
            }
            return generation(basis, keys);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return generation(basis, keys);
        } catch (RuntimeException e) {
            if (!same) {
                keys.close();
            }
            throw e;
        }
    }

    /** Puts a generation into force: for exchanges without a configuration, for operators and meters. Can't fail. */
    public void take(AuthGeneration next) {
        AuthGeneration before = current;
        if (next.basis().equals(before.basis())) {
            return; // the same one
        }
        current = next;
        next.challenges().bind(environment.registry());
        if (next.keys() != before.keys()) {
            next.keys().inherit(before.keys());
            next.keys().publish();
            before.keys().close(); // exchanges that began before still read its table
        }
    }

    /** Drops a generation that does not come into force. */
    public void drop(AuthGeneration next) {
        if (next.keys() != current.keys()) {
            next.keys().close();
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

    /** Returns the durations of signature checks: {@link Meters#TOKEN_VERIFY}. */
    public StripedHistogram verifications() {
        return verifications.histogram();
    }

    /** Returns the crypto provider that checks signatures, and why it was chosen. */
    public CryptoProvider provider() {
        return signatures.description();
    }

    /** Returns the time of the clock that decides about keys. */
    public Instant now() {
        return environment.clock().instant();
    }

    /** Returns the library that checks several signatures at once, or none, and why. */
    public CryptoProvider batchProvider() {
        return batches.description();
    }

    /** Returns the issuers and their keys, for operators. */
    public List<IssuerStatus> issuers() {
        return current.keys().status();
    }

    /**
     * Fetches an issuer's directory again, on request of an operator.
     *
     * @return completes normally when the fetch has ended; null when the issuer has no directory or the last fetch began less than five
     *     seconds ago
     */
    public @Nullable CompletableFuture<Void> refreshKeys(String issuer) {
        return current.keys().refetch(issuer);
    }

    /**
     * Drops a key at once and until this process ends; tokens under the key no longer pass.
     *
     * @param keyId 64 hex digits in lower case
     * @return false when that issuer has no such key
     */
    public boolean dropKey(String issuer, String keyId) {
        return current.keys().drop(issuer, keyId);
    }

    /** Returns whether any token can be verified now; otherwise every exchange that needs a token is refused. */
    public boolean hasKeys() {
        return current.keys().table().usable(environment.clock().instant());
    }

    /** Waits until the first fetch of each issuer's directory has ended, with or without success; for start-up, never on an event loop. */
    public void awaitIssuers(Duration limit) throws InterruptedException {
        current.keys().awaitFirst(limit);
    }

    @Override
    public void close() {
        current.keys().close();
        executor.close();
    }
}
