/**
 * Logs of exchanges: the exchange log, one JSON line per exchange, written by a thread of its own that drops lines rather than block; and
 * records of failed exchanges, kept in memory. Used by the root package, {@code admin.endpoint} and {@code mapping}.
 */
@NullMarked
package dev.postern.app.log;

import org.jspecify.annotations.NullMarked;
