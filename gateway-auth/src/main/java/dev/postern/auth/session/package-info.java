/**
 * The sealed cookie that a first token buys on routes with {@code token: session}. Whoever wants to know what it holds and when it is
 * believed enters here.
 */
@NullMarked
package dev.postern.auth.session;

import org.jspecify.annotations.NullMarked;
