package dev.postern.app.flame;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** History of the last graphs, kept for later views and comparisons. Thread-safe. */
final class GraphHistory {

    static final int MAX = 8;

    private final Deque<FlameGraph> graphs = new ArrayDeque<>();
    private int last;

    /** Creates a graph with the next id and keeps it; drops the oldest graph if there are too many. */
    synchronized FlameGraph add(IntFunction<FlameGraph> made) {
        FlameGraph graph = made.apply(++last);
        graphs.addLast(graph);
        if (graphs.size() > MAX) {
            graphs.removeFirst();
        }
        return graph;
    }

    synchronized Optional<FlameGraph> get(int id) {
        return graphs.stream().filter(graph -> graph.id() == id).findFirst();
    }

    /** Returns the graphs in the order of their creation. */
    synchronized List<FlameGraph> all() {
        return List.copyOf(graphs);
    }
}
