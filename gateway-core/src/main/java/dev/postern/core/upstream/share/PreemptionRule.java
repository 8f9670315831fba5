package dev.postern.core.upstream.share;

import dev.postern.core.net.AddressPrefix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rule for a pool in which exchanges wait for a connection, all of which are held. First those are ended that have waited for their client
 * for 5 s. Then, if a waiter's network holds less than the maximum share, exchanges of networks that hold more are ended: those that wait
 * for their client, then open responses and tunnels without bytes, then those that hold a connection for 5 s; each network only down to its
 * share. At most one exchange is ended for each waiter. Without waiters no exchange is ended.
 */
public final class PreemptionRule {

    /** Time that a client may keep a connection waiting though others need it. */
    static final long PATIENCE = Duration.ofSeconds(5).toNanos();

    /** Time above which an exchange of a network beyond its share counts as waiting: longer than a round trip. */
    static final long PAUSE = Duration.ofMillis(250).toNanos();

    private final double maxShare;

    /** @param maxShare of all held connections or streams, for one client network, 0..1; 1 for no limit */
    public PreemptionRule(double maxShare) {
        this.maxShare = maxShare;
    }

    /**
     * Exchange that holds a connection or a stream.
     *
     * @param network of the client
     * @param heldNanos time since the exchange got it
     * @param holder identifies the exchange to the caller
     */
    public record Held<T>(AddressPrefix network, Activity activity, long heldNanos, T holder) {}

    /**
     * Decision of the rule.
     *
     * @param ended exchanges to end
     * @param full networks that get nothing more while others wait
     */
    public record Decision<T>(List<Ended<T>> ended, Set<AddressPrefix> full) {}

    /** Exchange to end, and why. */
    public record Ended<T>(T holder, Preemption cause) {}

    /**
     * Decides about a pool with these holders and waiters.
     *
     * @param waiting network of each waiter
     */
    public <T> Decision<T> decide(List<Held<T>> held, List<AddressPrefix> waiting) {
        Map<AddressPrefix, Integer> counts = new HashMap<>();
        held.forEach(one -> counts.merge(one.network(), 1, Integer::sum));
        int share = share(held.size());
        Set<AddressPrefix> full = new HashSet<>();
        counts.forEach((network, count) -> {
            if (maxShare < 1 && count >= share) {
                full.add(network);
            }
        });
        List<Ended<T>> ended = new ArrayList<>();
        Set<Held<T>> gone = new HashSet<>();
        for (Held<T> one : longestWaits(held)) {
            if (ended.size() < waiting.size()) {
                ended.add(new Ended<>(one.holder(), Preemption.CLIENT));
                gone.add(one);
                counts.merge(one.network(), -1, Integer::sum);
            }
        }
        int others = (int) waiting.stream().filter(one -> !full.contains(one)).count();
        for (Held<T> one : maxShare < 1 ? byRank(held) : List.<Held<T>>of()) {
            if (ended.size() < others && !gone.contains(one) && counts.getOrDefault(one.network(), 0) > share) {
                ended.add(new Ended<>(one.holder(), Preemption.SHARE));
                counts.merge(one.network(), -1, Integer::sum);
            }
        }
        return new Decision<>(ended, Set.copyOf(full));
    }

    /** Returns how many of so many one network may have while others wait. */
    public int share(int all) {
        return maxShare < 1 ? Math.max(1, (int) (all * maxShare)) : Integer.MAX_VALUE;
    }

    private static <T> List<Held<T>> longestWaits(List<Held<T>> held) {
        return held.stream()
                .filter(one -> one.activity().kind() == Activity.Kind.CLIENT
                        && one.activity().nanos() >= PATIENCE)
                .sorted(Comparator.comparingLong((Held<T> one) -> one.activity().nanos())
                        .reversed())
                .toList();
    }

    private static <T> List<Held<T>> byRank(List<Held<T>> held) {
        return held.stream()
                .filter(one -> rank(one) < LAST)
                .sorted(Comparator.comparingInt((Held<T> one) -> rank(one))
                        .thenComparing(Comparator.comparingLong((Held<T> one) -> timeOf(one))
                                .reversed()))
                .toList();
    }

    private static final int LAST = 3;

    /** Returns the order in which exchanges of a network beyond its share are ended; {@link #LAST} for never. */
    private static int rank(Held<?> one) {
        boolean paused = one.activity().nanos() >= PAUSE;
        return switch (one.activity().kind()) {
            case CLIENT -> paused ? 0 : worn(one);
            case OPEN -> paused ? 1 : worn(one);
            case UPSTREAM -> worn(one);
        };
    }

    private static int worn(Held<?> one) {
        return one.heldNanos() >= PATIENCE ? 2 : LAST;
    }

    private static long timeOf(Held<?> one) {
        return rank(one) < 2 ? one.activity().nanos() : one.heldNanos();
    }
}
