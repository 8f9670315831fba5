package dev.postern.app.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the dashboards and rules of the folder docker. */
final class DashboardFiles {

    static final Path RULES =
            Path.of("../docker/prometheus/rules").toAbsolutePath().normalize();
    private static final Path RULE_TESTS = Path.of("../docker/prometheus/rules-test");
    private static final Path DASHBOARDS = Path.of("../docker/grafana/dashboards");

    private DashboardFiles() {}

    /** Dashboard and its file. */
    record Board(String file, JsonNode json) {

        List<JsonNode> panels() {
            return json.path("panels").valueStream().toList();
        }

        String locate(JsonNode panel) {
            return file + ", " + panel.path("title").asString();
        }
    }

    static List<Board> dashboards() {
        return files(DASHBOARDS, JsonMapper.builder().build());
    }

    static List<JsonNode> alerts() {
        return files(RULES, YAMLMapper.builder().build()).stream()
                .flatMap(file -> file.json().path("groups").valueStream())
                .flatMap(group -> group.path("rules").valueStream())
                .toList();
    }

    /** Returns the queries in tests of rules. */
    static List<JsonNode> alertTests() {
        return files(RULE_TESTS, YAMLMapper.builder().build()).stream()
                .flatMap(file -> file.json().path("tests").valueStream())
                .flatMap(test -> test.path("alert_rule_test").valueStream())
                .toList();
    }

    /** Returns all queries of panels and alerts. */
    static List<Query> queries(String rate) {
        List<Query> all = new ArrayList<>();
        for (Board board : dashboards()) {
            for (JsonNode panel : board.panels()) {
                panel.path("targets")
                        .valueStream()
                        .forEach(target -> all.add(Query.ofPanel(
                                board.locate(panel), target.path("expr").asString(), rate)));
            }
        }
        alerts().forEach(alert -> all.add(
                Query.ofAlert(alert.path("alert").asString(), alert.path("expr").asString())));
        return all;
    }

    private static List<Board> files(Path folder, ObjectMapper mapper) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().map(file -> read(file, mapper)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Board read(Path file, ObjectMapper mapper) {
        return new Board(file.getFileName().toString(), mapper.readTree(file.toFile()));
    }
}
