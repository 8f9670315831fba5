/**
 * The spend ledger as its users see it: interfaces, results and settings. The stores have a package each; {@link dev.postern.auth.SpendLedgers}
 * opens them. Used by {@code handler} and by the stores.
 */
@NullMarked
package dev.postern.auth.spend;

import org.jspecify.annotations.NullMarked;
