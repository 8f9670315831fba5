/**
 * The spend ledger: the store that remembers which tokens were redeemed, and says FRESH, SPENT or UNKNOWN and nothing in between.
 */
@NullMarked
package dev.postern.auth.spend;

import org.jspecify.annotations.NullMarked;
