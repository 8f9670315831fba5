/** Reachability of the servers that a configuration names, for {@code check --connect}. Used by {@code cli}. */
@NullMarked
package dev.postern.app.cli.check;

import org.jspecify.annotations.NullMarked;
