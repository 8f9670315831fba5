/**
 * Server: the listeners of the process. Bind, accept, negotiate the protocol, reload, drain and stop. The entry point is
 * {@link dev.postern.core.server.ProxyServer}. Used by the application.
 */
@NullMarked
package dev.postern.core.server;

import org.jspecify.annotations.NullMarked;
