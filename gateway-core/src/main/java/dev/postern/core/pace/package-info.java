/**
 * The arithmetic of rates: GCRA, and how often log lines are written. Plain numbers in, plain numbers out; whoever limits a rate uses it.
 */
@NullMarked
package dev.postern.core.pace;

import org.jspecify.annotations.NullMarked;
