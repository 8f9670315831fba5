/**
 * Admin address for operators and probes, on a port and threads of its own, never on an event loop of the request path. Changes need a
 * token. Used by the root package of the application; {@code admin.endpoint}, {@code flame} and {@code live}
 * implement endpoints, {@code mapping} reads the token, and {@code config.read} checks its file.
 */
@NullMarked
package dev.postern.app.admin;

import org.jspecify.annotations.NullMarked;
