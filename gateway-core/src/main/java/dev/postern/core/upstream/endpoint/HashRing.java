package dev.postern.core.upstream.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Ring for consistent hashing (Karger et al., 1997): each endpoint owns many points of the ring, and a key belongs to the first point that
 * follows it. When an endpoint is added or removed only its own part of the keys moves. Immutable.
 */
final class HashRing {

    /** Number of points of an endpoint with weight 1; with 160 the largest of ten endpoints has some 20 % more keys than the smallest. */
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

    /** Returns the first usable endpoint at or after the key; the key's own when none is usable. */
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

    /** Hashes with FNV-1a and mixes the bits once more, since FNV-1a spreads short texts badly. */
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
