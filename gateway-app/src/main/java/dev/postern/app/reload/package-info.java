/**
 * What a reload is about, without doing it: how two configurations differ, and what became of the attempt to take one up. Plain values; whoever
 * reloads, or tells about it, enters.
 */
@NullMarked
package dev.postern.app.reload;

import org.jspecify.annotations.NullMarked;
