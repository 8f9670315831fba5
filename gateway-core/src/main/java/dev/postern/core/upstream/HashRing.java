package dev.postern.core.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Consistent hashing (Karger et al., 1997): each server stands at many points of a ring, and a key belongs to the first that follows it. When a
 * server comes or goes only its own part of the keys moves. Immutable.
 */
final class HashRing {

    /** Of a server with weight 1; with so many the largest of ten servers has some 20 % more keys than the smallest. */
    private static final int POINTS = 160;

    private static final int MAX_POINTS = 100_000;
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private final long[] points;
    private final Endpoint[] owners;

    HashRing(List<Endpoint> endpoints) {
        long wanted =
                endpoints.stream().mapToLong(e -> (long) e.weight() * POINTS).sum();
        double scale = wanted > MAX_POINTS ? (double) MAX_POINTS / wanted : 1;
        record Point(long at, Endpoint owner) {}
        Point[] all = endpoints.stream()
                .flatMap(e -> points(e, Math.max(1, (int) (e.weight() * POINTS * scale)))
                        .mapToObj(time -> new Point(time, e)))
                .sorted(Comparator.comparingLong(Point::at))
                .toArray(Point[]::new);
        points = Arrays.stream(all).mapToLong(Point::at).toArray();
        owners = Arrays.stream(all).map(Point::owner).toArray(Endpoint[]::new);
    }

    private static LongStream points(Endpoint endpoint, int count) {
        String name = endpoint.address().toString();
        return LongStream.range(0, count).map(i -> hash(name + '#' + i));
    }

    /** The first server from the key's place on that may be used; the key's own when none may. */
    Endpoint find(long key, Predicate<Endpoint> usable) {
        int offset = Arrays.binarySearch(points, key);
        int start = offset >= 0 ? offset : -offset - 1;
        for (int i = 0; i < owners.length; i++) {
            Endpoint next = owners[(start + i) % owners.length];
            if (usable.test(next)) {
                return next;
            }
        }
        return owners[start % owners.length];
    }

    /** FNV-1a, with its bits mixed once more since it spreads short texts badly. */
    static long hash(String text) {
        long hash = OFFSET;
        for (byte b : text.getBytes(UTF_8)) {
            hash = (hash ^ (b & 0xff)) * PRIME;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
