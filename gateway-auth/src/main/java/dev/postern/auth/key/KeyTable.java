package dev.postern.auth.key;

import dev.postern.auth.token.Bytes32;
import dev.postern.auth.token.TokenType;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Table of all keys under which tokens are accepted: one immutable snapshot, read on every event loop. */
public final class KeyTable {

    private final List<AcceptedKey> keys;
    private final Map<Bytes32, List<AcceptedKey>> byId;
    private final Duration skew;

    /**
     * @param keys in the order of preference of each issuer
     * @param skew how far clocks may be apart
     */
    public KeyTable(List<AcceptedKey> keys, Duration skew) {
        this.keys = List.copyOf(keys);
        this.byId = new HashMap<>(
                keys.stream().collect(Collectors.groupingBy(k -> k.key().id())));
        this.skew = skew;
    }

    /** Returns whether any key has that id, accepted at this moment or not. */
    public boolean knows(Bytes32 id) {
        return byId.containsKey(id);
    }

    /** Returns the key of that issuer with that id if its tokens pass now, else null. */
    public @Nullable IssuerKey find(Bytes32 id, String issuer, Instant now) {
        AcceptedKey found = accepted(id, issuer, now);
        return found == null ? null : found.key();
    }

    /** Returns the same key as {@link #find}, with the time in which its tokens pass. */
    public @Nullable AcceptedKey accepted(Bytes32 id, String issuer, Instant now) {
        List<AcceptedKey> found = byId.get(id);
        if (found == null) {
            return null;
        }
        for (int i = 0; i < found.size(); i++) {
            AcceptedKey accepted = found.get(i);
            if (accepted.issuer().equals(issuer) && passes(accepted, now)) {
                return accepted;
            }
        }
        return null;
    }

    /** Returns the key for token requests: the first listed one whose not-before time has passed (RFC 9578 section 4); else null. */
    public @Nullable IssuerKey preferred(String issuer, TokenType type, Instant now) {
        for (int i = 0; i < keys.size(); i++) {
            AcceptedKey accepted = keys.get(i);
            if (accepted.key().type().equals(type)
                    && accepted.listed()
                    && accepted.issuer().equals(issuer)
                    && !accepted.from().isAfter(now)) {
                return accepted.key();
            }
        }
        return null;
    }

    /** Returns whether any token can be verified. */
    public boolean usable(Instant now) {
        for (int i = 0; i < keys.size(); i++) {
            if (passes(keys.get(i), now)) {
                return true;
            }
        }
        return false;
    }

    /** Returns all keys, including those in their grace period. */
    public List<AcceptedKey> keys() {
        return keys;
    }

    /** Returns the number of keys of that issuer under which tokens pass now. */
    public long count(String issuer, Instant now) {
        Function<AcceptedKey, Boolean> counts = k -> k.issuer().equals(issuer) && passes(k, now);
        return keys.stream().filter(counts::apply).count();
    }

    private boolean passes(AcceptedKey accepted, Instant now) {
        // Only a client whose clock is ahead may use a key before its not-before time.
        return !accepted.from().isAfter(now.plus(skew)) && now.isBefore(accepted.until());
    }
}
