/** What starts the servers of a Gatling simulation, runs it and checks the servers' own counters: {@code load-tests/run NAME}. */
@NullMarked
package dev.postern.load.run;

import org.jspecify.annotations.NullMarked;
