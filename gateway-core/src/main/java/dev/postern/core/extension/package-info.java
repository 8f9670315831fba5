/**
 * What stands between extensions and the gateway: how they are found, what they are shown, and what becomes of their faults. Nobody else
 * calls them.
 */
@NullMarked
package dev.postern.core.extension;

import org.jspecify.annotations.NullMarked;
