/** Options that commands share, and the error of an argument that a command can't use. Used by {@code cli}. */
@NullMarked
package dev.postern.app.cli.option;

import org.jspecify.annotations.NullMarked;
