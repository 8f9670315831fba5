@NullMarked
package dev.postern.ratelimit.rehearsal;

import org.jspecify.annotations.NullMarked;
