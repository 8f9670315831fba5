/** Crowds of visitors with cookies and connections of their own, and the origin of bounded capacity that counts them. */
@NullMarked
package dev.postern.load.crowd;

import org.jspecify.annotations.NullMarked;
