/**
 * Interfaces, results and settings of the spend ledger. Each store has a package of its own; {@link dev.postern.auth.SpendLedgers} opens
 * them. Used by {@code handler} and by the packages of the stores.
 */
@NullMarked
package dev.postern.auth.spend;

import org.jspecify.annotations.NullMarked;
