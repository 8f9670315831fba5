/** Servers of a run, each a process of its own on free loopback ports, all stopped when the run ends, however it ends. */
@NullMarked
package dev.postern.load.server;

import org.jspecify.annotations.NullMarked;
