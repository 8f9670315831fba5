/**
 * The other two sides of Privacy Pass (RFC 9578): a development issuer, and a client that gets tokens from anybody's issuer. For the
 * command line, load tests and the demo; nothing here runs on an event loop, and most of it blocks.
 */
@NullMarked
package dev.postern.auth.issue;

import org.jspecify.annotations.NullMarked;
