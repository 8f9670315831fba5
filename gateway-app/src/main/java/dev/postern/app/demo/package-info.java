/**
 * Issuer, sample site and gateway in one process, through the same assembly and configuration as any gateway, and a client that tries
 * all of it.
 */
@NullMarked
package dev.postern.app.demo;

import org.jspecify.annotations.NullMarked;
