/** Shared fixtures for Privacy Pass: valid tokens without an issuer, test vectors, exchanges without a socket. */
@NullMarked
package dev.postern.auth.testing;

import org.jspecify.annotations.NullMarked;
