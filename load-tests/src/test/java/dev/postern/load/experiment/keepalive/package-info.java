/** Tests of the experiment with kept-alive connections. */
@NullMarked
package dev.postern.load.experiment.keepalive;

import org.jspecify.annotations.NullMarked;
