package dev.postern.app.flame;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Time of the event loops by stage. A stack counts for the stage of its innermost frame with a stage. For one thread. */
final class StageShares {

    private static final String LOOPS = "[postern-loop];";

    /** Name for work outside of any stage: waiting, timers, and reads before the stage is known. */
    private static final String LOOP = "event loop";

    private final Map<String, Long> weights = new TreeMap<>();

    /** Adds a collapsed stack. Returns it with a bar of its stage above the event loop's frames; stacks of other threads unchanged. */
    String add(String stack) {
        if (!stack.startsWith(LOOPS)) {
            return stack;
        }
        String frames = stack.substring(LOOPS.length());
        int blank = frames.lastIndexOf(' ');
        String stage = stage(frames.substring(0, blank).split(";"));
        weights.merge(stage, Long.parseLong(frames.substring(blank + 1)), Long::sum);
        return LOOPS + "[" + stage + "];" + frames;
    }

    private static String stage(String[] frames) {
        for (int i = frames.length - 1; i >= 0; i--) {
            String stage = StageNames.of(frames[i]).orElse("");
            if (!stage.isEmpty()) {
                return stage;
            }
        }
        return LOOP;
    }

    /** Lists the share of each stage, the largest first; empty without stacks of event loops. */
    @Override
    public String toString() {
        double all = weights.values().stream().mapToLong(Long::longValue).sum();
        return all == 0
                ? ""
                : weights.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .map(row -> String.format(Locale.ROOT, "%s %.1f %%", row.getKey(), 100 * row.getValue() / all))
                        .collect(Collectors.joining(", ", "Event loops: ", ". "));
    }
}
