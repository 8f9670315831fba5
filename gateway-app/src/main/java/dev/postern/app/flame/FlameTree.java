package dev.postern.app.flame;

import dev.postern.app.profile.Frame;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tree that merges stacks by their common beginnings. For one thread. */
final class FlameTree {

    /** Maximum of bars. More bars are not readable, and a graph of this size is well below a megabyte. */
    static final int MAX = 8_000;

    private static final Comparator<Frame> ORDER =
            Comparator.comparing(Frame::name).thenComparing(Frame::kind);
    private static final Frame ALL = new Frame(Frame.Kind.THREAD, "all");

    private final Frame frame;
    private final Map<Frame, FlameTree> children = new TreeMap<>(ORDER);
    private long before;
    private long now;

    private FlameTree(Frame frame) {
        this.frame = frame;
    }

    static FlameNode of(Map<List<Frame>, Long> stacks) {
        FlameTree all = new FlameTree(ALL);
        stacks.forEach(all::add);
        return bounded(all.node());
    }

    /** Merges two graphs for a comparison. Both get the same total weight, so that their durations may differ. */
    static FlameNode difference(FlameNode before, FlameNode now) {
        FlameTree all = new FlameTree(ALL);
        all.addBefore(before, 1e9 / Math.max(1, before.now()));
        all.addNow(now, 1e9 / Math.max(1, now.now()));
        return bounded(all.node());
    }

    private static FlameNode bounded(FlameNode all) {
        FlameNode bounded = all;
        for (long least = Math.max(1, all.both() / 100_000); bounded.size() > MAX; least *= 2) {
            bounded = all.pruned(least);
        }
        return bounded;
    }

    private void add(List<Frame> stack, long weight) {
        FlameTree at = this;
        at.now += weight;
        for (Frame next : stack) {
            at = at.child(next);
            at.now += weight;
        }
    }

    private void addBefore(FlameNode node, double scale) {
        before += Math.round(node.now() * scale);
        node.children().forEach(child -> child(child.frame()).addBefore(child, scale));
    }

    private void addNow(FlameNode node, double scale) {
        now += Math.round(node.now() * scale);
        node.children().forEach(child -> child(child.frame()).addNow(child, scale));
    }

    private FlameTree child(Frame next) {
        return children.computeIfAbsent(next, FlameTree::new);
    }

    private FlameNode node() {
        return new FlameNode(
                frame,
                before,
                now,
                children.values().stream().map(FlameTree::node).toList());
    }
}
