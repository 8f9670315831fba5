/**
 * Entrances for a fuzzer, one class a parser: each feeds bytes from outside to the parser and checks what must hold whatever they are.
 * {@code scripts/fuzz} runs them for minutes; {@code FuzzCorpusTest} replays what was found worth keeping on every build.
 */
@NullMarked
package dev.postern.auth.fuzz;

import org.jspecify.annotations.NullMarked;
