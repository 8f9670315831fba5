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

/** All keys that tokens are accepted under: one immutable snapshot, read on every event loop. */
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

    /** Whether any key has that id, accepted at this moment or not. */
    public boolean knows(Bytes32 id) {
        return byId.containsKey(id);
    }

    /** The key of that issuer with that id if its tokens pass now, else null. */
    public @Nullable IssuerKey find(Bytes32 id, String issuer, Instant now) {
        AcceptedKey found = accepted(id, issuer, now);
        return found == null ? null : found.key();
    }

    /** The same with the times between which its tokens pass. */
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

    /** The key that clients should ask for tokens under: the first listed one whose time has come (RFC 9578 section 4); else null. */
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

    /** Whether tokens can be checked at all. */
    public boolean usable(Instant now) {
        for (int i = 0; i < keys.size(); i++) {
            if (passes(keys.get(i), now)) {
                return true;
            }
        }
        return false;
    }

    /** Everything in it, keys in their grace included. */
    public List<AcceptedKey> keys() {
        return keys;
    }

    /** How many keys of that issuer tokens pass under now. */
    public long count(String issuer, Instant now) {
        Function<AcceptedKey, Boolean> counts = k -> k.issuer().equals(issuer) && passes(k, now);
        return keys.stream().filter(counts::apply).count();
    }

    private boolean passes(AcceptedKey accepted, Instant now) {
        // A key that is listed for later may be used early only by a clock that is ahead of ours.
        return !accepted.from().isAfter(now.plus(skew)) && now.isBefore(accepted.until());
    }
}
