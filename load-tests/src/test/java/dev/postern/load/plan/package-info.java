/** Tests of plans: parameters, tokens, arrival rates. */
@NullMarked
package dev.postern.load.plan;

import org.jspecify.annotations.NullMarked;
