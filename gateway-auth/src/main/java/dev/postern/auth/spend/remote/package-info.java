/**
 * What ledgers share that wait for their store: marks and the epoch they make, deadlines on a loop, the breaker, the memory of
 * spent keys, the ledger's own thread. For the packages of those stores alone.
 */
@NullMarked
package dev.postern.auth.spend.remote;

import org.jspecify.annotations.NullMarked;
