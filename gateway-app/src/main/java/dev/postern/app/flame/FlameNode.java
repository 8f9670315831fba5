package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.List;

/**
 * A frame with all stacks that go through it in the same way, merged: what is drawn as one bar.
 *
 * @param before its weight in the graph that this one is compared with; 0 where there is none
 * @param now its weight
 * @param children what it called, by name
 */
record FlameNode(Frame frame, long before, long now, List<FlameNode> children) {

    long both() {
        return before + now;
    }

    /** How many bars it is. */
    int size() {
        return 1 + children.stream().mapToInt(FlameNode::size).sum();
    }

    /** Without bars of less weight than that. Their weight stays with who called them. */
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
