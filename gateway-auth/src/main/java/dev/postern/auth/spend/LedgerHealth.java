package dev.postern.auth.spend;

import java.util.Map;

/**
 * Health of the ledger, shown at {@code /readyz}. A store that is down is only a detail there and does not make the gateway unready.
 *
 * @param healthy whether every store is usable now
 * @param stores a short state text for each store
 */
public record LedgerHealth(boolean healthy, Map<String, String> stores) {

    public LedgerHealth {
        stores = Map.copyOf(stores);
    }
}
