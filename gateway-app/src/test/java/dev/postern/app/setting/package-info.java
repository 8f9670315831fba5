/** A whole gateway with settings in YAML, and what its users see of them: each section, and what no test of a module shows. */
@NullMarked
package dev.postern.app.setting;

import org.jspecify.annotations.NullMarked;
