/** An origin of bounded capacity that keeps a book about its visitors. */
@NullMarked
package dev.postern.load.origin;

import org.jspecify.annotations.NullMarked;
