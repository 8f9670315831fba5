@NullMarked
package dev.postern.load.dribble;

import org.jspecify.annotations.NullMarked;
