package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.List;

/**
 * Node of a flame graph, drawn as one bar: a frame, merged from all stacks with the same path to the frame.
 *
 * @param before weight in the graph of the comparison; 0 for none
 * @param now weight
 * @param children callees, by name
 */
record FlameNode(Frame frame, long before, long now, List<FlameNode> children) {

    long both() {
        return before + now;
    }

    /** Counts the bars of the node and its descendants. */
    int size() {
        return 1 + children.stream().mapToInt(FlameNode::size).sum();
    }

    /** Returns the node without bars of less weight than the given one. Their weight stays in the callers. */
    FlameNode pruned(long least) {
        return new FlameNode(
                frame,
                before,
                now,
                children.stream()
                        .filter(child -> child.both() >= least)
                        .map(child -> child.pruned(least))
                        .toList());
    }
}
