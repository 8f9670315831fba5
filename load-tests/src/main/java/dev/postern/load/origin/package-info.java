/** Origin of bounded capacity that counts the requests of its visitors. */
@NullMarked
package dev.postern.load.origin;

import org.jspecify.annotations.NullMarked;
