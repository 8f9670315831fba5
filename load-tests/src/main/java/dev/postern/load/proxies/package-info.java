/**
 * Benchmark {@code load-tests/bench proxies}: CPU time per proxied request in the gateway, beside other proxies and a
 * relay of bytes.
 */
@NullMarked
package dev.postern.load.proxies;

import org.jspecify.annotations.NullMarked;
