/**
 * Stages of the gateway: the cost of verification, ledger and waiting room in a whole gateway, beside the cost of each
 * of them alone.
 */
@NullMarked
package dev.postern.load.stages;

import org.jspecify.annotations.NullMarked;
