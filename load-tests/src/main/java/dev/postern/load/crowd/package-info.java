/** Crowds of clients with cookies and connections of their own, and the origin of bounded capacity that counts their requests. */
@NullMarked
package dev.postern.load.crowd;

import org.jspecify.annotations.NullMarked;
