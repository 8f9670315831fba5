/**
 * Values of a reload: where the configuration comes from, the difference of two, and the result. The root package executes reloads and uses
 * these values.
 */
@NullMarked
package dev.postern.app.reload;

import org.jspecify.annotations.NullMarked;
