/**
 * Pipeline stages of this module: <i>identify</i>, <i>verify</i>, <i>spend</i>, and the challenges of a refusal. Used by the root package
 * and by the application.
 */
@NullMarked
package dev.postern.auth.handler;

import org.jspecify.annotations.NullMarked;
