/** Extensions: how they are loaded, their view of an exchange, and the handling of their errors. Used by the application. */
@NullMarked
package dev.postern.core.extension;

import org.jspecify.annotations.NullMarked;
