/**
 * The exchange: one request and its response with all their state, the message that travels the pipeline; and the responses that the gateway
 * generates itself. Any package above may read an exchange; only the event loop of its client connection may touch it.
 */
@NullMarked
package dev.postern.core.exchange;

import org.jspecify.annotations.NullMarked;
