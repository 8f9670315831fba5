/**
 * Start, drain and stop of the proxying part of a process.
 */
@NullMarked
package dev.postern.core.lifecycle;

import org.jspecify.annotations.NullMarked;
