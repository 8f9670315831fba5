/**
 * Token type 1: VOPRF over P-384 with SHA-384, for operators that are their own issuer (RFC 9578 section 5, RFC 9497). {@link
 * dev.postern.auth.voprf.VoprfP384} is the entrance. The curve's arithmetic is BouncyCastle's; which multiples of which points is here.
 */
@NullMarked
package dev.postern.auth.voprf;

import org.jspecify.annotations.NullMarked;
