/**
 * One process: the program's entrance, and the assembly of the modules by the configuration.
 */
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
