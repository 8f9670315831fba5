/** Values of a reload: the difference of two configurations and the result. The root package executes reloads and uses these values. */
@NullMarked
package dev.postern.app.reload;

import org.jspecify.annotations.NullMarked;
