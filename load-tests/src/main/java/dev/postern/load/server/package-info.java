/**
 * Servers of a run, each a process of its own on free loopback ports; all of them are stopped when the run ends or
 * fails.
 */
@NullMarked
package dev.postern.load.server;

import org.jspecify.annotations.NullMarked;
