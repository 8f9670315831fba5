package dev.postern.ratelimit.queue;

/**
 * Tenant share under which a session waits: sessions of one tenant wait in the order of arrival, and tenants share the room by weights.
 *
 * @param tenant name of {@code A-Za-z0-9_-}, at most 64 characters; empty where all sessions wait in one order
 * @param weight 1 to {@value #MAX}: number of sessions admitted per session of a tenant with weight 1
 */
public record TenantShare(String tenant, int weight) {

    public static final int MAX = 100;

    /** Share of a room where all sessions wait in one order. */
    public static final TenantShare NONE = new TenantShare("", 1);

    /** Cost of one session, to be divided by the weight. In microseconds, as tickets are, and large enough for whole numbers. */
    private static final long COST = 1_000;

    public TenantShare {
        if (weight < 1 || weight > MAX) {
            throw new IllegalArgumentException("weight: " + weight + " (expected: 1 to " + MAX + ")");
        }
    }

    long step() {
        return COST / weight;
    }
}
