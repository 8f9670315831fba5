/**
 * Profiles of the running process: what its threads did, as stacks with their weights. By async-profiler where its native library loads, else by
 * the JVM's flight recorder. Frames and names of threads only: no value of any variable is ever read.
 */
@NullMarked
package dev.postern.app.profile;

import org.jspecify.annotations.NullMarked;
