/**
 * Experiment {@code order}: messages that are handled side by side and delivered in the order in which they came, while the number of
 * tunnels or connections rises and falls. Used by {@code experiment}.
 */
@NullMarked
package dev.postern.load.experiment.order;

import org.jspecify.annotations.NullMarked;
