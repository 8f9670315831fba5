package dev.postern.app.profile;

/**
 * Profile of the threads of this process over a period.
 *
 * @param engine profiler and its mode
 * @param hint what the profile lacks, and the permission that would add it; empty if it lacks nothing that could be permitted
 * @param stacks in async-profiler's collapsed format with annotated frames: one line per stack, frames separated by semicolons, then the
 *     weight in {@link ProfileEvent#unit}; the first frame is the name of the thread's pool in brackets
 */
public record Profile(ProfileEvent event, String engine, String hint, String stacks) {}
