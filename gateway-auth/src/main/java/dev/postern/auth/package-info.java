/**
 * Token authentication as the application uses it: {@link dev.postern.auth.Auth} creates the stages <i>identify</i> and <i>verify</i> from
 * the settings, and {@link dev.postern.auth.SpendLedgers} opens the spend ledger. Used by the application only.
 */
@NullMarked
package dev.postern.auth;

import org.jspecify.annotations.NullMarked;
