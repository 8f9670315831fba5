/**
 * The stage <i>admit</i>: which limit and room an exchange falls under, and what becomes of it. Only the entrance enters here.
 */
@NullMarked
package dev.postern.ratelimit.handler;

import org.jspecify.annotations.NullMarked;
