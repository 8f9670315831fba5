/**
 * The admin address: what operators and probes read, on a port and threads of its own, never an event loop of the path. Read-only but for
 * who has the token.
 */
@NullMarked
package dev.postern.app.admin;

import org.jspecify.annotations.NullMarked;
