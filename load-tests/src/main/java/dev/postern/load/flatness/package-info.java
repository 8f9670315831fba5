/** Flatness: latency, memory, threads and descriptors of the gateway while the number of tunnels or connections rises and falls. */
@NullMarked
package dev.postern.load.flatness;

import org.jspecify.annotations.NullMarked;
