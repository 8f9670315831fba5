package dev.postern.ratelimit.queue;

/**
 * On whose account somebody waits: those of one tenant wait in the order in which they came, and tenants take turns by their weights.
 *
 * @param tenant of {@code A-Za-z0-9_-}, at most 64; empty where all wait in one order
 * @param weight 1 to {@value #MAX}: how many are admitted of it while one of weight 1 is
 */
public record TenantShare(String tenant, int weight) {

    public static final int MAX = 100;

    /** One order for everybody. */
    public static final TenantShare NONE = new TenantShare("", 1);

    /** What one session counts, divided by the weight: microseconds, since tickets are, and a whole number for every weight. */
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
