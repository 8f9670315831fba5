/**
 * The hidden context: everything outside the code that decides how fast it is, as found and as wanted. Each {@link
 * dev.postern.app.context.ContextSource} tells of one layer; only the assembly makes them. Nothing here is called on an event loop.
 */
@NullMarked
package dev.postern.app.context;

import org.jspecify.annotations.NullMarked;
