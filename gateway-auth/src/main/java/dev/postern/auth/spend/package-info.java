/**
 * The spend ledger: the store that remembers which tokens were redeemed, and says FRESH, SPENT or UNKNOWN and nothing in between. Whoever
 * spends a token enters through {@link dev.postern.auth.spend.SpendLedgers}; the stores behind it have a package each.
 */
@NullMarked
package dev.postern.auth.spend;

import org.jspecify.annotations.NullMarked;
