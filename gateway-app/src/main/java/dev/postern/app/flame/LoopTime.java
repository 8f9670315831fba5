package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Time of the event loops as a table. A stack counts for the stage of its innermost frame of Postern, and for the category of its leaf.
 *
 * @param all weight of all stacks of event loops
 * @param rows by stage, the heaviest first
 */
record LoopTime(long all, List<Row> rows) {

    private static final String LOOPS = "postern-loop";

    /** Row for work outside of any stage: waiting, timers, and reads before the stage is known. */
    static final String LOOP = "event loop";

    /**
     * Row of one stage.
     *
     * @param by weight by category of the leaf
     * @param classes of the stage, with their weights
     */
    record Row(String stage, long weight, Map<LeafCategory, Long> by, Map<String, Long> classes) {

        private Row plus(LeafCategory category, String name, long more) {
            by.merge(category, more, Long::sum);
            classes.merge(name, more, Long::sum);
            return new Row(stage, weight + more, by, classes);
        }
    }

    static LoopTime of(Map<List<Frame>, Long> stacks) {
        Map<Frame, Optional<String>> stages = new HashMap<>();
        Map<String, Row> rows = new TreeMap<>();
        long all = 0;
        for (Map.Entry<List<Frame>, Long> entry : stacks.entrySet()) {
            List<Frame> stack = entry.getKey();
            if (stack.get(0).name().equals(LOOPS)) {
                long weight = entry.getValue();
                all += weight;
                Frame ours = last(stack, stages);
                String stage = ours == null ? LOOP : stage(ours, stages).orElse(LOOP);
                Row row =
                        rows.getOrDefault(stage, new Row(stage, 0, new EnumMap<>(LeafCategory.class), new TreeMap<>()));
                rows.put(stage, row.plus(LeafCategory.of(stack), ours == null ? "Netty" : simpleName(ours), weight));
            }
        }
        Comparator<Row> heaviest = Comparator.comparingLong(Row::weight).reversed();
        return new LoopTime(all, rows.values().stream().sorted(heaviest).toList());
    }

    private static @Nullable Frame last(List<Frame> stack, Map<Frame, Optional<String>> stages) {
        for (int i = stack.size() - 1; i > 0; i--) {
            if (stage(stack.get(i), stages).isPresent()) {
                return stack.get(i);
            }
        }
        return null;
    }

    private static Optional<String> stage(Frame frame, Map<Frame, Optional<String>> stages) {
        return stages.computeIfAbsent(
                frame, f -> f.kind() == Frame.Kind.JAVA ? StageNames.of(f.className()) : Optional.empty());
    }

    /** Returns the class name without package and inner classes. */
    private static String simpleName(Frame frame) {
        String name = frame.className();
        return name.substring(name.lastIndexOf('.') + 1).split("\\$", 2)[0];
    }
}
