/** Workers: drivers and probes in processes of their own, each pinned to its core and kept warm between its turns. */
@NullMarked
package dev.postern.load.worker;

import org.jspecify.annotations.NullMarked;
