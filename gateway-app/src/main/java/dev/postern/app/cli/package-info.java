/**
 * The commands of the program, one class each; every one says by its exit code whether it went well. Whoever adds a command enters
 * here.
 */
@NullMarked
package dev.postern.app.cli;

import org.jspecify.annotations.NullMarked;
