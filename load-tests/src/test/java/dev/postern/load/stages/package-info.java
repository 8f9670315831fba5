/** Tests of the report about stages. */
@NullMarked
package dev.postern.load.stages;

import org.jspecify.annotations.NullMarked;
