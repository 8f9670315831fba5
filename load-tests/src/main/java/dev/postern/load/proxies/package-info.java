/**
 * Benchmarks {@code load-tests/bench proxies}, {@code tls}, {@code tunnels} and {@code start}: the gateway beside other proxies and a relay
 * of bytes, and a new gateway beside a warm one.
 */
@NullMarked
package dev.postern.load.proxies;

import org.jspecify.annotations.NullMarked;
