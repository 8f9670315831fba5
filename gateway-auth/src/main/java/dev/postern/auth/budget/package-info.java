/**
 * What forged tokens may cost: a budget of failures for each network of clients, and what becomes of tokens past it. Whoever wants to know
 * why a token was not checked enters here.
 */
@NullMarked
package dev.postern.auth.budget;

import org.jspecify.annotations.NullMarked;
