/**
 * What all fuzz targets share: cuts, checks, readers of their own, and the replay of inputs. A target stands in the package whose rules it
 * tests, named {@code ...Fuzz}. {@code scripts/fuzz} runs them for minutes; {@code FuzzCorpusTest} replays what was found worth keeping on
 * every build.
 */
@NullMarked
package dev.postern.core.fuzz;

import org.jspecify.annotations.NullMarked;
