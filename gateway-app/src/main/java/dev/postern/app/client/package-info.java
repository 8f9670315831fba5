/**
 * The client's side, as the command line and the demo play it: asks a site or a proxy, finds the challenge in the response, comes back
 * with a token. Blocks; never for event loops.
 */
@NullMarked
package dev.postern.app.client;

import org.jspecify.annotations.NullMarked;
