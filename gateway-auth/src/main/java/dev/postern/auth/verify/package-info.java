/**
 * Whether a token is good: its challenge one of ours and still open, its key an issuer's, its signature right; and which crypto provider
 * does the arithmetic. The rules are plain objects; each event loop has signature objects of its own.
 */
@NullMarked
package dev.postern.auth.verify;

import org.jspecify.annotations.NullMarked;
