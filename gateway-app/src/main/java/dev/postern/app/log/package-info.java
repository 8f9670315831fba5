/**
 * What is told of exchanges: the log, one JSON line an exchange, written by a thread of its own, losing lines rather than time; and capsules of those that
 * failed, kept in memory for whoever asks.
 */
@NullMarked
package dev.postern.app.log;

import org.jspecify.annotations.NullMarked;
