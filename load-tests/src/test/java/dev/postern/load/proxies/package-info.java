/** Tests of how rounds become rows. */
@NullMarked
package dev.postern.load.proxies;

import org.jspecify.annotations.NullMarked;
