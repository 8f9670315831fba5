/**
 * Routes, the policy snapshot of the current configuration, hop-by-hop and forwarded fields. Plain objects that know no Netty.
 */
@NullMarked
package dev.postern.core.route;

import org.jspecify.annotations.NullMarked;
