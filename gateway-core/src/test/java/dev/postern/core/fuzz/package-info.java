/**
 * Shared code of all fuzz targets: splitting, checks, independent parsers, and the replay of inputs. A target is in the package whose rules it
 * tests, named {@code ...Fuzz}. {@code scripts/fuzz} runs the targets for minutes; {@code FuzzCorpusTest} replays their corpus on every build.
 */
@NullMarked
package dev.postern.core.fuzz;

import org.jspecify.annotations.NullMarked;
