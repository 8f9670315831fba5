/** Another configuration for a gateway that runs: what differs, and that nobody notices but by what was changed. */
@NullMarked
package dev.postern.app.reload;

import org.jspecify.annotations.NullMarked;
