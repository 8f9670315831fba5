package dev.postern.app.profile;

import java.util.List;
import java.util.Map;

/**
 * What the threads of this process did for a while.
 *
 * @param engine who took it, and how
 * @param hint what it can't show here and what to permit, so that it could; empty when there is nothing to permit
 * @param stacks with their weights in {@link ProfileEvent#unit}; each begins with its thread
 */
public record Profile(ProfileEvent event, String engine, String hint, Map<List<Frame>, Long> stacks) {}
