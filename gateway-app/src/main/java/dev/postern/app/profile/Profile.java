package dev.postern.app.profile;

import java.util.List;
import java.util.Map;

/**
 * Profile of the threads of this process over a period.
 *
 * @param engine profiler and its mode
 * @param hint what the profile lacks, and the permission that would add it; empty if it lacks nothing that could be permitted
 * @param stacks with their weights in {@link ProfileEvent#unit}; the first frame of each is its thread
 */
public record Profile(ProfileEvent event, String engine, String hint, Map<List<Frame>, Long> stacks) {}
