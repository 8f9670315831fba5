/**
 * Live page: the state of the gateway, sampled once a second for all subscribers and sent to their browsers as an event stream. Used by
 * {@code admin.endpoint} and the root package.
 */
@NullMarked
package dev.postern.app.live;

import org.jspecify.annotations.NullMarked;
