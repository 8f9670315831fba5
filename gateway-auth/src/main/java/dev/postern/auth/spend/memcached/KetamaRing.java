package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Ketama ring that maps each key to its server, with 160 points per server.
 *
 * <p>The points are hashes of the servers' names as configured, and not of their addresses as in spymemcached's locator: a server that
 * comes back with another address keeps its keys. A server that is down is never replaced by its neighbour, since at the neighbour every
 * token would be FRESH. Immutable, thread-safe.
 */
final class KetamaRing {

    private static final MessageDigest MD5 = newMd5();
    private static final int POINTS = 160;
    private static final int POINTS_PER_HASH = 4;

    private final long[] points;
    private final int[] owners;
    private final int servers;

    KetamaRing(List<String> servers) {
        this.servers = servers.size();
        TreeMap<Long, Integer> sorted = new TreeMap<>();
        for (int server = 0; server < servers.size(); server++) {
            for (int i = 0; i < POINTS / POINTS_PER_HASH; i++) {
                byte[] digest = md5((servers.get(server) + "-" + i).getBytes(UTF_8));
                for (int part = 0; part < POINTS_PER_HASH; part++) {
                    sorted.put(word(digest, part * 4), server);
                }
            }
        }
        points = new long[sorted.size()];
        owners = new int[sorted.size()];
        int offset = 0;
        for (Map.Entry<Long, Integer> point : sorted.entrySet()) {
            points[offset] = point.getKey();
            owners[offset++] = point.getValue();
        }
    }

    /** Returns the index of the server of the key. */
    int owner(byte[] text) {
        return owners[indexOf(text)];
    }

    /** Returns the first {@code count} different servers from the key's point on. All gateways ask them in this order. */
    int[] owners(byte[] text, int count) {
        int[] found = new int[Math.min(count, servers)];
        int index = indexOf(text);
        for (int have = 0; have < found.length; index = (index + 1) % owners.length) {
            int next = owners[index];
            boolean known = false;
            for (int i = 0; i < have; i++) {
                known |= found[i] == next;
            }
            if (!known) {
                found[have++] = next;
            }
        }
        return found;
    }

    private int indexOf(byte[] text) {
        long hash = word(md5(text), 0);
        int low = 0;
        int high = points.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (points[middle] < hash) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == points.length ? 0 : low;
    }

    private static byte[] md5(byte[] text) {
        try {
            // Cloned, since the search for a provider costs more than the digest.
            MessageDigest digest = (MessageDigest) MD5.clone();
            return digest.digest(text);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the MD5 of every JDK can be cloned", e);
        }
    }

    private static MessageDigest newMd5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    private static long word(byte[] digest, int offset) {
        return (digest[offset + 3] & 0xFFL) << 24
                | (digest[offset + 2] & 0xFFL) << 16
                | (digest[offset + 1] & 0xFFL) << 8
                | (digest[offset] & 0xFFL);
    }
}
