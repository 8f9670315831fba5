/**
 * The arithmetic of rates: GCRA. Plain numbers in, plain numbers out; whoever limits a rate uses it.
 */
@NullMarked
package dev.postern.core.pace;

import org.jspecify.annotations.NullMarked;
