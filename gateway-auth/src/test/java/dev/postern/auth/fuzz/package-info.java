/**
 * Fuzz targets, one class per parser: each passes external bytes to the parser and checks its invariants. {@code scripts/fuzz} runs the
 * targets for minutes; {@code FuzzCorpusTest} replays their corpus on every build.
 */
@NullMarked
package dev.postern.auth.fuzz;

import org.jspecify.annotations.NullMarked;
