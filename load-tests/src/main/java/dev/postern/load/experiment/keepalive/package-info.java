/**
 * Experiment {@code load-tests/experiments/keepalive}: the gateway with and without kept-alive upstream connections,
 * with and without the JIT compilers, beside other proxies.
 */
@NullMarked
package dev.postern.load.experiment.keepalive;

import org.jspecify.annotations.NullMarked;
