/**
 * Token type 2: blind RSA with 2048 bits (RFC 9578 section 6, RFC 9474). {@link dev.postern.auth.rsa.BlindRsa} is loaded as a service by
 * {@code token}.
 */
@NullMarked
package dev.postern.auth.rsa;

import org.jspecify.annotations.NullMarked;
