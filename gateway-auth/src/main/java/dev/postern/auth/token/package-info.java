/**
 * The wire formats of Privacy Pass: header grammar, challenge, token, token types (RFC 9577). Plain objects that know no key and no
 * clock; every other package of this module reads and writes through them.
 */
@NullMarked
package dev.postern.auth.token;

import org.jspecify.annotations.NullMarked;
