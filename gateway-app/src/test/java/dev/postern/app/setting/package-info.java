/** Each key of the configuration, changed once through YAML, and what users see of it. */
@NullMarked
package dev.postern.app.setting;

import org.jspecify.annotations.NullMarked;
