/**
 * Sealed session cookie that a token buys on routes with {@code token: session}: its content, and the checks that it must pass. Used by
 * {@code handler}, the root package and the application.
 */
@NullMarked
package dev.postern.auth.session;

import org.jspecify.annotations.NullMarked;
