/**
 * The exchange: one request and its response with their whole state, the message that travels the pipeline; and the responses that the
 * gateway generates itself. Used by all packages of higher layers; only the event loop of the client connection may access an exchange.
 */
@NullMarked
package dev.postern.core.exchange;

import org.jspecify.annotations.NullMarked;
