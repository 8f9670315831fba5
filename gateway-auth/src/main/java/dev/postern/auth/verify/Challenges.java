package dev.postern.auth.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenChallenge;
import dev.postern.auth.token.TokenType;
import dev.postern.auth.verify.AcceptedChallenges.Accepted;
import dev.postern.core.route.Listener;
import dev.postern.core.route.Route;
import dev.postern.core.seal.Prf;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The challenges of this gateway, which no gateway needs to remember: the redemption context is a pseudo-random function of window,
 * route and ledger epoch, so every replica with the same ring makes the same ones (RFC 9577 section 2.1.1.2).
 *
 * <p>Thread-safe. What is accepted is computed once for each scope and stretch of time, on whichever loop asks first: some ten hashes for
 * each issuer, twice in a window or so.
 */
public final class Challenges {

    /** A bound for scopes that reloads have left behind; everything here can be computed again. */
    private static final int MOST_SCOPES = 4096;

    private final Settings settings;
    private final Prf prf;
    private final Supplier<byte[]> epoch;
    private final Map<ChallengeScope, AcceptedChallenges> byScope = new ConcurrentHashMap<>();

    /**
     * What challenges are made of.
     *
     * @param namespace so that gateways with ledgers of their own don't accept each other's tokens
     * @param originNames joined by commas
     * @param issuers names in the operator's order
     */
    public record Settings(
            String namespace, String originNames, List<String> issuers, List<TokenType> types, Windows windows) {

        public Settings {
            issuers = List.copyOf(issuers);
            types = List.copyOf(types);
        }
    }

    /**
     * @param prf of the ring, for this use alone
     * @param epoch of the ledger: when its value changes, tokens for older challenges are no longer accepted. Cheap and thread-safe
     */
    public Challenges(Settings settings, Prf prf, Supplier<byte[]> epoch) {
        this.settings = settings;
        this.prf = prf;
        this.epoch = epoch;
    }

    /** Which of the accepted challenges has that digest, or null. */
    @Nullable
    Accepted find(Route route, Listener listener, Bytes32 digest, Instant now) {
        return accepted(route, listener, now).find(digest);
    }

    /** What to ask a client, in the operator's order. */
    public List<OpenChallenge> open(Route route, Listener listener, Instant now) {
        return accepted(route, listener, now).open();
    }

    /** Seconds for which they will be accepted. */
    public long maxAge(Instant now) {
        return settings.windows().maxAge(now);
    }

    private AcceptedChallenges accepted(Route route, Listener listener, Instant now) {
        ChallengeScope scope = ChallengeScope.of(route, listener, settings.originNames());
        byte[] current = epoch.get();
        AcceptedChallenges known = byScope.get(scope);
        if (known == null || !known.covers(now, current)) {
            if (byScope.size() >= MOST_SCOPES) {
                byScope.clear();
            }
            known = compute(scope, current.clone(), now);
            byScope.put(scope, known);
        }
        return known;
    }

    private AcceptedChallenges compute(ChallengeScope scope, byte[] current, Instant now) {
        Windows windows = settings.windows();
        Map<Bytes32, Accepted> byDigest = new HashMap<>();
        long oldestOpen = windows.oldestOpen(now);
        long oldest = scope.lapsing() ? windows.oldestLapsing(now) : oldestOpen;
        for (long window = oldest; window <= windows.newest(now); window++) {
            Instant until = windows.acceptedUntil(window, scope.lapsing());
            for (byte[] context : prf.all(message(scope, window, current))) {
                for (String issuer : settings.issuers()) {
                    for (TokenType type : settings.types()) {
                        Accepted accepted = new Accepted(issuer, type.value(), until, window < oldestOpen);
                        byDigest.put(challenge(scope, issuer, type, context).digest(), accepted);
                    }
                }
            }
        }
        List<OpenChallenge> open = new ArrayList<>();
        byte[] context = prf.of(message(scope, windows.index(now), current));
        for (String issuer : settings.issuers()) {
            for (TokenType type : settings.types()) {
                open.add(new OpenChallenge(
                        issuer, type, challenge(scope, issuer, type, context).encode()));
            }
        }
        return new AcceptedChallenges(current, now, windows.unchangedUntil(now), byDigest, List.copyOf(open));
    }

    private static TokenChallenge challenge(ChallengeScope scope, String issuer, TokenType type, byte[] context) {
        return new TokenChallenge(type.value(), issuer, context, scope.originInfo());
    }

    /** Fields with their lengths, so that no two different ones make the same message. */
    private byte[] message(ChallengeScope scope, long window, byte[] current) {
        byte[] space = settings.namespace().getBytes(UTF_8);
        byte[] route = scope.route().getBytes(UTF_8);
        ByteBuffer out = ByteBuffer.allocate(8 + 8 + 1 + 4 + space.length + 4 + route.length + current.length);
        out.putLong(window).putLong(settings.windows().length().toMillis());
        out.put((byte) (scope.lapsing() ? 1 : 0));
        out.putInt(space.length).put(space);
        out.putInt(route.length).put(route);
        return out.put(current).array();
    }
}
