/**
 * The keys that tokens are checked with: read from an issuer's directory or from the configuration, kept while the issuer is away, and
 * handed out as one immutable table. Nothing here runs on an event loop but the look-ups in that table.
 */
@NullMarked
package dev.postern.auth.key;

import org.jspecify.annotations.NullMarked;
