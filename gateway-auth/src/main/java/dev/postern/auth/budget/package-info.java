/**
 * Limits for the cost of forged tokens: a budget of failed verifications for each client network, and deprioritized verification beyond the
 * budget. Used by {@code handler} and the root package.
 */
@NullMarked
package dev.postern.auth.budget;

import org.jspecify.annotations.NullMarked;
