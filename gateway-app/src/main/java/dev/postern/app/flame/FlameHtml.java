package dev.postern.app.flame;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.profile.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/** HTML of graphs: self-contained pages, always the same page with a JSON document that its script draws. Thread-safe. */
final class FlameHtml {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String DOCUMENT = "{{document}}";

    private final String page;

    FlameHtml() {
        try (InputStream in = FlameHtml.class.getResourceAsStream("flame.html")) {
            page = new String(Objects.requireNonNull(in, "flame.html").readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param kept graphs that the page offers for comparison */
    String graph(FlameGraph graph, List<FlameGraph> kept) {
        return page(document(graph, kept, graph.all()));
    }

    /** Returns the page of the difference, with the table of {@code now}. */
    String difference(FlameGraph before, FlameGraph now, List<FlameGraph> kept) {
        Map<String, Object> document = document(now, kept, FlameTree.difference(before.all(), now.all()));
        document.put("before", name(before));
        document.put("unit", "share");
        return page(document);
    }

    private String page(Map<String, Object> document) {
        // Escaped, so that the name of a frame cannot end the script element.
        return page.replace(DOCUMENT, JSON.writeValueAsString(document).replace("<", "\\u003c"));
    }

    private static Map<String, Object> document(FlameGraph graph, List<FlameGraph> kept, FlameNode all) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("graph", name(graph));
        document.put("about", graph.event().about());
        document.put("unit", graph.event().unit());
        document.put("engine", graph.engine());
        document.put("hint", graph.hint());
        document.put(
                "kept",
                kept.stream()
                        .filter(other -> other.event() == graph.event())
                        .map(FlameHtml::name)
                        .toList());
        document.put("loops", loops(graph.loops()));
        document.putAll(bars(all));
        return document;
    }

    private static Map<String, Object> name(FlameGraph graph) {
        Map<String, Object> name = new LinkedHashMap<>();
        name.put("id", graph.id());
        name.put("event", graph.event().label());
        name.put("seconds", graph.length().toSeconds());
        name.put("taken", graph.taken().toString());
        return name;
    }

    private static Map<String, Object> loops(LoopTime loops) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (LoopTime.Row row : loops.rows()) {
            Map<String, Long> by = new LinkedHashMap<>();
            row.by().forEach((category, weight) -> by.put(category.label(), weight));
            rows.add(Map.of("stage", row.stage(), "weight", row.weight(), "by", by, "classes", row.classes()));
        }
        return Map.of("all", loops.all(), "rows", rows);
    }

    /**
     * Returns the bars in depth-first order from left to right: each name once, and for each bar depth, name, weight before, weight now.
     */
    private static Map<String, Object> bars(FlameNode all) {
        Map<Frame, Integer> names = new LinkedHashMap<>();
        List<Long> bars = new ArrayList<>();
        walk(all, 0, names, bars);
        return Map.of(
                "kinds",
                names.keySet().stream()
                        .map(f -> f.kind().name().toLowerCase(Locale.ROOT))
                        .toList(),
                "names",
                names.keySet().stream().map(Frame::name).toList(),
                "bars",
                bars);
    }

    private static void walk(FlameNode node, long depth, Map<Frame, Integer> names, List<Long> bars) {
        names.putIfAbsent(node.frame(), names.size());
        bars.addAll(List.of(depth, (long) names.get(node.frame()), node.before(), node.now()));
        node.children().forEach(child -> walk(child, depth + 1, names, bars));
    }
}
