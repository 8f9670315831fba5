/**
 * Hidden context: settings outside the code that determine performance, with the found and the wanted values. Each {@link
 * dev.postern.app.context.ContextSource} reports one layer. Used by {@code admin.endpoint}, {@code mapping}, the root package, {@code cli}
 * and {@code config.read}. Never called on an event loop.
 */
@NullMarked
package dev.postern.app.context;

import org.jspecify.annotations.NullMarked;
