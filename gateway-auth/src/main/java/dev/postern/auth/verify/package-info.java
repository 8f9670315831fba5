/**
 * Verification of tokens: the challenge is one of this gateway's and still open, the key is an issuer's, the signature is valid; and the
 * choice of the crypto provider. The rules are plain objects; each event loop has its own signature objects. Used by {@code batch}, {@code
 * handler}, {@code budget}, {@code session}, {@code issue}, {@code rsa}, {@code voprf}, the root package and the application.
 */
@NullMarked
package dev.postern.auth.verify;

import org.jspecify.annotations.NullMarked;
