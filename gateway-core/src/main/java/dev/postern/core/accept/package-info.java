/**
 * What happens to a connection before it carries exchanges, and what may end it without one: how many may be open, who a load balancer says
 * it is, whether its client takes what it asked for.
 */
@NullMarked
package dev.postern.core.accept;

import org.jspecify.annotations.NullMarked;
