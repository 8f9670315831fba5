package dev.postern.app.dashboard;

import dev.postern.app.dashboard.DashboardFiles.Board;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes what Prometheus returned for each panel over time to {@code target/dashboards}; {@code scripts/dashboards.py} draws the files. */
final class DrawnDashboards {

    static final Path FOLDER = Path.of("target/dashboards");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Prometheus prometheus;
    private final long from;
    private final long to;
    private final List<String> blank = new ArrayList<>();

    /**
     * @param from seconds since the epoch
     * @param to seconds since the epoch
     */
    DrawnDashboards(Prometheus prometheus, long from, long to) {
        this.prometheus = prometheus;
        this.from = from;
        this.to = to;
    }

    /** Writes one file per dashboard; returns the panels of which a query has nothing to draw. */
    List<String> write() throws IOException {
        Files.createDirectories(FOLDER);
        for (Board board : DashboardFiles.dashboards()) {
            ObjectNode drawn = JSON.createObjectNode();
            drawn.put("title", board.json().path("title").asString());
            drawn.put("from", from);
            drawn.put("to", to);
            ArrayNode panels = drawn.putArray("panels");
            for (JsonNode panel : board.panels()) {
                if (!panel.path("targets").isEmpty()) {
                    panels.add(panel(board.locate(panel), panel));
                }
            }
            Files.writeString(FOLDER.resolve(board.file()), JSON.writeValueAsString(drawn));
        }
        return blank;
    }

    private ObjectNode panel(String location, JsonNode panel) {
        ObjectNode drawn = JSON.createObjectNode();
        drawn.put("title", panel.path("title").asString());
        drawn.put("type", panel.path("type").asString());
        drawn.put(
                "unit", panel.path("fieldConfig").path("defaults").path("unit").asString(""));
        ArrayNode targets = drawn.putArray("targets");
        panel.path("targets").valueStream().forEach(target -> {
            String text = target.path("expr").asString();
            JsonNode series = prometheus.range(Query.ofPanel(location, text, Prometheus.RATE), from, to);
            if (series.valueStream().noneMatch(DrawnDashboards::hasPoints)) {
                blank.add(location + ": " + text);
            }
            ObjectNode one = targets.addObject();
            one.put("legend", target.path("legendFormat").asString(""));
            one.set("series", series);
        });
        return drawn;
    }

    private static boolean hasPoints(JsonNode series) {
        return series.path("values")
                .valueStream()
                .anyMatch(point -> !point.path(1).asString().equals("NaN"));
    }
}
