@NullMarked
package dev.postern.load.tunnel;

import org.jspecify.annotations.NullMarked;
