/** Commands of the program, one class each. The exit code of each command shows success or failure. Used by no other package. */
@NullMarked
package dev.postern.app.cli;

import org.jspecify.annotations.NullMarked;
