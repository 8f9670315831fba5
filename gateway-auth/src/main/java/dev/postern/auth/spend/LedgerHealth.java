package dev.postern.auth.spend;

import java.util.Map;

/**
 * How the ledger is, for {@code /readyz} and people; a dead store is a detail there and takes nobody out.
 *
 * @param healthy whether every store would answer now
 * @param stores each store and its state in a few words
 */
public record LedgerHealth(boolean healthy, Map<String, String> stores) {

    public LedgerHealth {
        stores = Map.copyOf(stores);
    }
}
