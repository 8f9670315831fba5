/** {@code load-tests/bench proxies}: what a proxied request costs in the gateway, beside other proxies and beside a relay of bytes. */
@NullMarked
package dev.postern.load.proxies;

import org.jspecify.annotations.NullMarked;
