/**
 * Keys for verifying tokens: read from an issuer's directory or from the configuration, kept while the issuer is unavailable, and published
 * as one immutable table. Only lookups in that table run on event loops. Used by {@code verify}, {@code handler}, {@code issue}, {@code
 * rsa}, {@code voprf}, the root package and the application.
 */
@NullMarked
package dev.postern.auth.key;

import org.jspecify.annotations.NullMarked;
