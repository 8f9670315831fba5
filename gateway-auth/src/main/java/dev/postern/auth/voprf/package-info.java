/**
 * Token type 1: VOPRF over P-384 with SHA-384, for operators that run their own issuer (RFC 9578 section 5, RFC 9497). {@link
 * dev.postern.auth.voprf.VoprfP384} is loaded as a service by {@code token}. The curve arithmetic is BouncyCastle's; this package chooses
 * the multiplications.
 */
@NullMarked
package dev.postern.auth.voprf;

import org.jspecify.annotations.NullMarked;
