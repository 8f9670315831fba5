/**
 * The ledger in the memory of this process, with an optional journal on disk. The default; needs no server. Used only by {@link
 * dev.postern.auth.SpendLedgers}.
 */
@NullMarked
package dev.postern.auth.spend.embedded;

import org.jspecify.annotations.NullMarked;
