/**
 * Client of a site or a proxy: sends a request, reads the challenge in the response, and sends the request again with a token. Blocks;
 * never for event loops. Used by {@code cli} and {@code demo}.
 */
@NullMarked
package dev.postern.app.client;

import org.jspecify.annotations.NullMarked;
