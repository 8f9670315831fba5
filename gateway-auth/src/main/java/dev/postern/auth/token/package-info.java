/**
 * Formats of Privacy Pass: header grammar, challenge, token, token types (RFC 9577). Plain objects that depend on no key and no clock. Used
 * by every other package of this module and by the application.
 */
@NullMarked
package dev.postern.auth.token;

import org.jspecify.annotations.NullMarked;
