/** Reloads of a running gateway: differences of configurations, and requests that are unaffected by them. */
@NullMarked
package dev.postern.app.reload;

import org.jspecify.annotations.NullMarked;
