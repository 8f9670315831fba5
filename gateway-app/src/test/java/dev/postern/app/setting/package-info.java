/** Tests of a whole gateway with settings in YAML: the effects of each section that clients and operators see. */
@NullMarked
package dev.postern.app.setting;

import org.jspecify.annotations.NullMarked;
