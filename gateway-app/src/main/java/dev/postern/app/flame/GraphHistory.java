package dev.postern.app.flame;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** The last few graphs, to be looked at again and compared. Thread-safe. */
final class GraphHistory {

    static final int MAX = 8;

    private final Deque<FlameGraph> graphs = new ArrayDeque<>();
    private int last;

    /** Keeps what is made with the next id; the oldest goes when there are too many. */
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

    /** In the order in which they were taken. */
    synchronized List<FlameGraph> all() {
        return List.copyOf(graphs);
    }
}
