/**
 * Issuer and client of Privacy Pass (RFC 9578): a development issuer, and a client that fetches tokens from any issuer. Used by the
 * application's command line, client, demo and warm-up, and by load tests; {@code rsa} and {@code voprf} implement {@link
 * dev.postern.auth.issue.Issuance}. Not for event loops; most methods block.
 */
@NullMarked
package dev.postern.auth.issue;

import org.jspecify.annotations.NullMarked;
