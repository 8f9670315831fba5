/** Tests of the conversion of rounds to rows. */
@NullMarked
package dev.postern.load.proxies;

import org.jspecify.annotations.NullMarked;
