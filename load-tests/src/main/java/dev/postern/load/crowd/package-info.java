/** Crowds of clients with cookies and connections of their own. */
@NullMarked
package dev.postern.load.crowd;

import org.jspecify.annotations.NullMarked;
