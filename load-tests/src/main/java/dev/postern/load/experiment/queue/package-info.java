/**
 * Experiment {@code fair-queue}: the limit of nginx and of the gateway alone against the fair queue, with the load of
 * ngx-smart-ratelimit and with browsers.
 */
@NullMarked
package dev.postern.load.experiment.queue;

import org.jspecify.annotations.NullMarked;
