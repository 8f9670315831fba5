/**
 * Pieces of received data: how many bytes one connection may read in a row, and how small pieces are joined, so that the cost of a byte does
 * not depend on how its sender divides the data. Used by the codecs, {@code transport}, {@code tunnel} and {@code proxy}.
 */
@NullMarked
package dev.postern.core.transport.piece;

import org.jspecify.annotations.NullMarked;
