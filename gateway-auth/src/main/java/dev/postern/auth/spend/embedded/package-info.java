/**
 * The ledger in this process' own memory: the default, needing no server. Entered through {@link
 * dev.postern.auth.SpendLedgers} only.
 */
@NullMarked
package dev.postern.auth.spend.embedded;

import org.jspecify.annotations.NullMarked;
