/** Tests of batches, and lanes for them on any machine. */
@NullMarked
package dev.postern.auth.batch;

import org.jspecify.annotations.NullMarked;
