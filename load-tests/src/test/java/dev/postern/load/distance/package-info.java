@NullMarked
package dev.postern.load.distance;

import org.jspecify.annotations.NullMarked;
