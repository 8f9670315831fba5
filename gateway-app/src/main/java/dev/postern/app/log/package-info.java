/**
 * The exchange log: one JSON line an exchange, written by a thread of its own, losing lines rather than time.
 */
@NullMarked
package dev.postern.app.log;

import org.jspecify.annotations.NullMarked;
