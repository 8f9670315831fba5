package dev.postern.auth.challenge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.postern.auth.challenge.AcceptedChallenges.Accepted;
import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import dev.postern.core.crypto.Prf;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ChallengeRule.Context;
import dev.postern.core.route.Route;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Challenges of this gateway. No gateway stores them: the redemption context is a pseudo-random function of window, route and ledger epoch,
 * so all replicas with the same key ring make the same ones (RFC 9577 section 2.1.1.2).
 *
 * <p>Thread-safe. The accepted challenges are computed once for each scope and time, on the first event loop that needs them: about ten
 * hashes for each issuer, about twice in a window.
 */
public final class Challenges {

    /** Bounds for scopes left behind by reloads, and for client networks; every entry can be computed again. */
    private static final int MAX_SCOPES = 4096;

    private static final int MAX_PREFIXES = 8192;
    /** Names of the caches in meters. */
    private static final List<String> CACHES = List.of("challenges", "challenges-by-network");

    private static final byte[] EMPTY_CONTEXT = {};

    private final Settings settings;
    private final Prf prf;
    private final Supplier<byte[]> epoch;
    private final Cache<ChallengeScope, AcceptedChallenges> byScope = bounded(MAX_SCOPES);
    private final Cache<ChallengeScope, AcceptedChallenges> byPrefix = bounded(MAX_PREFIXES);

    /**
     * Settings of which challenges are made.
     *
     * @param namespace so that gateways with separate ledgers reject each other's tokens
     * @param originNames joined by commas
     * @param issuers names in the operator's order
     */
    public record Settings(
            String namespace,
            String originNames,
            List<String> issuers,
            List<TokenType> types,
            ChallengeWindows windows) {

        public Settings {
            issuers = List.copyOf(issuers);
            types = List.copyOf(types);
        }
    }

    /**
     * @param prf of the key ring, for this use only
     * @param epoch of the ledger: when its value changes, tokens for older challenges are no longer accepted. Cheap and thread-safe
     */
    public Challenges(Settings settings, Prf prf, Supplier<byte[]> epoch) {
        this.settings = settings;
        this.prf = prf;
        this.epoch = epoch;
    }

    private static Cache<ChallengeScope, AcceptedChallenges> bounded(int max) {
        // Maintenance runs on the caller's thread: an event loop must not wake a pool for it.
        return Caffeine.newBuilder()
                .maximumSize(max)
                .executor(Runnable::run)
                .recordStats()
                .build();
    }

    /** Registers meters for the number of cached scopes and for cache misses. */
    public void bind(MeterRegistry registry) {
        // Meters of the challenges of earlier settings would stay, and count a cache that is gone.
        List.copyOf(registry.getMeters()).stream()
                .filter(meter -> CACHES.contains(String.valueOf(meter.getId().getTag("cache"))))
                .forEach(registry::remove);
        new CaffeineCacheMetrics<>(byScope, CACHES.get(0), Tags.empty()).bindTo(registry);
        new CaffeineCacheMetrics<>(byPrefix, CACHES.get(1), Tags.empty()).bindTo(registry);
    }

    /** Returns the accepted challenge with that digest, or null. */
    @Nullable
    public Accepted find(PresentationContext presentationContext, Bytes32 digest, Instant now) {
        return accepted(presentationContext, now).find(digest);
    }

    /** Returns the challenges for a client, in the operator's order. */
    public List<IssuedChallenge> open(PresentationContext presentationContext, Instant now) {
        return accepted(presentationContext, now).issued();
    }

    /** Returns the seconds for which these challenges will be accepted; -1 where only the key limits them. */
    public long maxAge(PresentationContext presentationContext, Instant now) {
        boolean endless = presentationContext.route().challenge().context() == Context.EMPTY;
        return endless ? -1 : settings.windows().maxAge(now);
    }

    private AcceptedChallenges accepted(PresentationContext presentationContext, Instant now) {
        ChallengeScope scope = ChallengeScope.of(presentationContext, settings.originNames());
        byte[] current = epoch.get();
        // Client networks have a cache of their own: a client may use thousands of networks and must not evict the
        // routes.
        Cache<ChallengeScope, AcceptedChallenges> cache = scope.prefix() == 0 ? byScope : byPrefix;
        AcceptedChallenges known = cache.getIfPresent(scope);
        if (known == null || !known.covers(now, current)) {
            known = compute(scope, current.clone(), now);
            cache.put(scope, known);
        }
        return known;
    }

    private AcceptedChallenges compute(ChallengeScope scope, byte[] current, Instant now) {
        ChallengeWindows windows = settings.windows();
        Map<Bytes32, Accepted> byDigest = new HashMap<>();
        byte[] context = EMPTY_CONTEXT;
        if (scope.rule().context() == Context.EMPTY) {
            put(byDigest, scope, EMPTY_CONTEXT, Instant.MAX, false);
        } else {
            long oldestOpen = windows.oldestOpen(now);
            long oldest = scope.lapsing() ? windows.oldestLapsing(now) : oldestOpen;
            for (long window = oldest; window <= windows.newest(now); window++) {
                Instant end = windows.acceptedUntil(window, scope.lapsing());
                for (byte[] accepted : prf.all(message(scope, window, current))) {
                    put(byDigest, scope, accepted, end, window < oldestOpen);
                }
            }
            context = prf.of(message(scope, windows.index(now), current));
        }
        List<IssuedChallenge> issued = new ArrayList<>();
        for (String issuer : issuers(scope)) {
            for (TokenType type : settings.types()) {
                issued.add(new IssuedChallenge(
                        issuer, type, challenge(scope, issuer, type, context).encode()));
            }
        }
        return new AcceptedChallenges(current, now, windows.unchangedUntil(now), byDigest, List.copyOf(issued));
    }

    private void put(
            Map<Bytes32, Accepted> byDigest, ChallengeScope scope, byte[] context, Instant end, boolean lapsed) {
        for (String issuer : issuers(scope)) {
            for (TokenType type : settings.types()) {
                byDigest.put(
                        challenge(scope, issuer, type, context).digest(),
                        new Accepted(issuer, type.value(), end, lapsed));
            }
        }
    }

    private List<String> issuers(ChallengeScope scope) {
        return scope.rule().issuers().isEmpty()
                ? settings.issuers()
                : scope.rule().issuers();
    }

    private static TokenChallenge challenge(ChallengeScope scope, String issuer, TokenType type, byte[] context) {
        return new TokenChallenge(type.value(), issuer, context, scope.originInfo());
    }

    /** Returns the input of the PRF: fields with their lengths, so that different fields never make the same message. */
    private byte[] message(ChallengeScope scope, long window, byte[] current) {
        byte[] space = settings.namespace().getBytes(UTF_8);
        byte[] route = scope.route().getBytes(UTF_8);
        int prefix = scope.prefix() == 0 ? 0 : Long.BYTES;
        ByteBuffer out = ByteBuffer.allocate(8 + 8 + 1 + 4 + space.length + 4 + route.length + prefix + current.length);
        out.putLong(window).putLong(settings.windows().length().toMillis());
        out.put((byte) ((scope.lapsing() ? 1 : 0) | (prefix > 0 ? 2 : 0)));
        out.putInt(space.length).put(space);
        out.putInt(route.length).put(route);
        if (prefix > 0) {
            out.putLong(scope.prefix());
        }
        return out.put(current).array();
    }

    /**
     * Scope of a challenge: tokens for one scope are rejected in another.
     *
     * @param route its name
     * @param originInfo as in the challenge
     * @param lapsing whether tokens stay acceptable for longer, for clients in a waiting room. Part of the redemption context: otherwise a
     *     token spent on a route without a waiting room, and forgotten by the ledger two windows later, would be fresh again once a reload adds
     *     a waiting room to the route
     * @param rule of the route
     * @param prefix {@link AddressPrefix#number} of the network where tokens are bound to it, else 0
     */
    private record ChallengeScope(String route, String originInfo, boolean lapsing, ChallengeRule rule, long prefix) {

        /** @param originNames the names of the settings, joined by commas */
        static ChallengeScope of(PresentationContext context, String originNames) {
            Route route = context.route();
            ListenerInfo listener = context.listener();
            ChallengeRule rule = route.challenge();
            boolean ownName = !listener.reverse() && !listener.originName().isEmpty();
            String origins = rule.originInfo().isEmpty() ? originNames : rule.originInfo();
            // A challenge without a redemption context has no window either.
            boolean lapsing = route.rateLimit() != null && rule.context() != Context.EMPTY;
            return new ChallengeScope(
                    route.name(),
                    ownName ? listener.originName() : origins,
                    lapsing,
                    rule,
                    rule.context() == Context.PREFIX
                            ? listener.networks().network(context.client()).number()
                            : 0);
        }
    }
}
