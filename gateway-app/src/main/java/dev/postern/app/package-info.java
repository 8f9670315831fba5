/**
 * Process of one gateway: assembles the modules from the configuration, applies reloads, and closes all components. Used by {@code cli} and
 * {@code demo}.
 */
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
