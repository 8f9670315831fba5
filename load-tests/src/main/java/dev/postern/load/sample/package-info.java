/** Samples of a gateway under load: its figures every second, from its meters and from the kernel. Used by {@code run}. */
@NullMarked
package dev.postern.load.sample;

import org.jspecify.annotations.NullMarked;
