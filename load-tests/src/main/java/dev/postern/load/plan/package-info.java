/** Plans of simulations: parameters, tokens and arrival rates, known before Gatling starts; and what their results mean. */
@NullMarked
package dev.postern.load.plan;

import org.jspecify.annotations.NullMarked;
