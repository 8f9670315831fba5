/**
 * Profiles of the running process: stacks of its threads with weights. Uses async-profiler if its native library loads, otherwise the JVM's
 * flight recorder. Profiles contain only frames and names of threads, never values of variables. Used by {@code flame} and
 * {@code admin.endpoint}.
 */
@NullMarked
package dev.postern.app.profile;

import org.jspecify.annotations.NullMarked;
