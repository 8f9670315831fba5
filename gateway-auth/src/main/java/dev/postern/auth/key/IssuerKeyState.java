package dev.postern.auth.key;

import dev.postern.auth.key.IssuerDirectory.ListedKey;
import dev.postern.auth.token.Bytes32;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * State of one issuer's keys as its directory changes: the listed keys, in order, and those in their grace period. One writer at a time;
 * {@link #accepted} may be read by any thread.
 */
final class IssuerKeyState {

    private final String issuer;
    private final Duration grace;
    private final List<AcceptedKey> fixed;
    private final Supplier<List<IssuerKey>> secrets;
    private volatile List<AcceptedKey> accepted;

    /** @param fixed keys that a directory cannot remove */
    IssuerKeyState(String issuer, Duration grace, List<IssuerKey> fixed) {
        this(issuer, grace, fixed, List::of);
    }

    /** @param secrets keys with their secrets, which replace the listed keys with the same id */
    IssuerKeyState(String issuer, Duration grace, List<IssuerKey> fixed, Supplier<List<IssuerKey>> secrets) {
        this.issuer = issuer;
        this.grace = grace;
        this.secrets = secrets;
        this.fixed = fixed.stream()
                .map(k -> new AcceptedKey(k, issuer, Instant.EPOCH, Instant.MAX))
                .toList();
        this.accepted = this.fixed;
    }

    List<AcceptedKey> accepted() {
        return accepted;
    }

    /**
     * Applies the current directory.
     *
     * @throws IllegalArgumentException when the directory lists no key that this gateway can use; then nothing changes
     */
    void apply(IssuerDirectory directory, Instant now) {
        List<ListedKey> usable = usable(directory);
        if (usable.isEmpty()) {
            String first = directory.skipped().isEmpty()
                    ? ""
                    : "; " + directory.skipped().get(0);
            throw new IllegalArgumentException(
                    "token-keys: none of a known type, or whose private key is here (expected: one at least)" + first);
        }
        List<AcceptedKey> next = new ArrayList<>(fixed);
        for (ListedKey listed : usable) {
            if (next.stream().noneMatch(k -> k.key().id().equals(listed.key().id()))) {
                next.add(new AcceptedKey(listed.key(), issuer, listed.notBefore(), Instant.MAX));
            }
        }
        for (AcceptedKey before : accepted) {
            Instant end = before.listed() ? now.plus(grace) : before.until();
            if (end.isAfter(now)
                    && next.stream()
                            .noneMatch(k -> k.key().id().equals(before.key().id()))) {
                next.add(new AcceptedKey(before.key(), issuer, before.from(), end));
            }
        }
        accepted = List.copyOf(next);
    }

    /** Returns the listed keys under which this gateway can verify tokens. */
    private List<ListedKey> usable(IssuerDirectory directory) {
        Map<Bytes32, IssuerKey> known = new HashMap<>();
        secrets.get().forEach(k -> known.put(k.id(), k));
        return directory.keys().stream()
                .map(k -> new ListedKey(known.getOrDefault(k.key().id(), k.key()), k.notBefore()))
                .filter(k -> k.key().verifiable())
                .toList();
    }

    /** Restores the keys of an earlier process, until the directory is fetched. */
    void restore(List<AcceptedKey> copy, Instant now) {
        List<ListedKey> listed = copy.stream()
                .filter(AcceptedKey::listed)
                .map(k -> new ListedKey(k.key(), k.from()))
                .toList();
        if (!listed.isEmpty()) {
            apply(new IssuerDirectory("", listed), now);
        }
        List<AcceptedKey> all = new ArrayList<>(accepted);
        copy.stream().filter(k -> !k.listed() && k.until().isAfter(now)).forEach(all::add);
        accepted = List.copyOf(all);
    }
}
