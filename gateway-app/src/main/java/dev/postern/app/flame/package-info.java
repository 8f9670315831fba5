/** Graphs of what the process did: stacks merged, where the event loops spent their time, what differs between two, and the page of it. */
@NullMarked
package dev.postern.app.flame;

import org.jspecify.annotations.NullMarked;
