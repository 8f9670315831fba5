/**
 * Maps the configuration to the settings of each module, one class per module or topic. Plain functions of a configuration and its files;
 * nothing is opened here. Used by the root package and {@code cli}.
 */
@NullMarked
package dev.postern.app.mapping;

import org.jspecify.annotations.NullMarked;
