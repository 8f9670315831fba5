/**
 * Responses to waiting clients: the sealed ticket cookie, the page, the JSON and the header fields. Plain objects, used by {@code handler}
 * and by the configuration checks of gateway-app.
 */
@NullMarked
package dev.postern.ratelimit.waiting;

import org.jspecify.annotations.NullMarked;
