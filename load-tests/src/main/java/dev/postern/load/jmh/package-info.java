/** Micro-benchmarks by JMH, in JVMs of their own on the measured core, and what an operation costs there. */
@NullMarked
package dev.postern.load.jmh;

import org.jspecify.annotations.NullMarked;
