/** What verification, ledger and room cost in a whole gateway, beside what each of them costs by itself. */
@NullMarked
package dev.postern.load.stages;

import org.jspecify.annotations.NullMarked;
