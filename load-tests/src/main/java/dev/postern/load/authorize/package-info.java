/** Questions of another proxy to the gateway: their cost and latency, beside a proxied request and beside another server that nginx can ask. */
@NullMarked
package dev.postern.load.authorize;

import org.jspecify.annotations.NullMarked;
