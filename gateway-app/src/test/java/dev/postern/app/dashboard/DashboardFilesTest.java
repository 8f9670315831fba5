package dev.postern.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.dashboard.DashboardFiles.Board;
import dev.postern.core.metrics.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests that dashboards and rules are complete; {@link PrometheusIT} tests that their queries return data. */
class DashboardFilesTest {

    private static final int COLUMNS = 24;

    static List<Board> dashboards() {
        return DashboardFiles.dashboards();
    }

    static List<JsonNode> alerts() {
        return DashboardFiles.alerts();
    }

    @Test
    void hasADashboardForEachTopic() {
        assertThat(dashboards().stream().map(Board::file))
                .containsExactly(
                        "jvm-and-event-loops.json",
                        "overview.json",
                        "rooms.json",
                        "tokens-and-ledger.json",
                        "upstreams.json");
        assertThat(dashboards().stream().map(board -> board.json().path("uid").asString()))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void panelsHaveTitleDescriptionAndQueries(Board board) {
        assertThat(board.panels().stream().map(panel -> panel.path("id").asInt()))
                .doesNotHaveDuplicates();
        for (JsonNode panel : board.panels()) {
            String location = board.locate(panel);
            assertThat(panel.path("title").asString("")).as(location).isNotBlank();
            assertThat(panel.path("description").asString("")).as(location).endsWith(".");
            boolean row = panel.path("type").asString().equals("row");
            assertThat(panel.path("targets").isEmpty()).as(location).isEqualTo(row);
            panel.path("targets")
                    .valueStream()
                    .forEach(target -> assertThat(target.path("expr").asString(""))
                            .as(location)
                            .isNotBlank());
            assertThat(row || hasUnit(panel)).as("%s: unit", location).isTrue();
        }
    }

    private static boolean hasUnit(JsonNode panel) {
        JsonNode unit = panel.path("type").asString().equals("heatmap")
                ? panel.path("options").path("yAxis").path("unit")
                : panel.path("fieldConfig").path("defaults").path("unit");
        return !unit.asString("").isBlank();
    }

    @ParameterizedTest
    @EnumSource
    void everyMeterIsOnADashboard(Meters meter) {
        String name = meter.meter().replace('.', '_');
        assertThat(DashboardFiles.queries("1m"))
                .extracting(Query::text)
                .anyMatch(query -> Pattern.compile(name + "(_total|_seconds_[a-z]+)?\\{")
                        .matcher(query)
                        .find());
    }

    /** Each gateway reports the same tickets of a room in Redis, and the usability of servers is a state per gateway. */
    @Test
    void doesNotAddValuesThatEachGatewayReports() {
        assertThat(DashboardFiles.queries("1m"))
                .extracting(Query::text)
                .filteredOn(Pattern.compile("postern_(room_(waiting|active|bound)|upstream_(endpoints|breaker))\\{")
                        .asPredicate())
                .hasSizeGreaterThan(10)
                .noneMatch(Pattern.compile("(sum|avg|count)( by \\([a-z, ]*\\))? ?\\(postern_")
                        .asPredicate());
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void panelsDoNotOverlap(Board board) {
        Map<List<Integer>, String> taken = new HashMap<>();
        for (JsonNode panel : board.panels()) {
            JsonNode node = panel.path("gridPos");
            int x = node.path("x").asInt();
            int y = node.path("y").asInt();
            assertThat(x + node.path("w").asInt()).as(board.locate(panel)).isBetween(1, COLUMNS);
            for (int column = x; column < x + node.path("w").asInt(); column++) {
                for (int line = y; line < y + node.path("h").asInt(); line++) {
                    String other = taken.put(List.of(column, line), board.locate(panel));
                    assertThat(other).as("below %s", board.locate(panel)).isNull();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void hasVariablesForGatewaysAndDataSource(Board board) {
        assertThat(board.json()
                        .path("templating")
                        .path("list")
                        .valueStream()
                        .map(variable -> variable.path("name").asString()))
                .containsExactly("datasource", "instance");
        for (JsonNode panel : board.panels()) {
            panel.path("targets").valueStream().forEach(target -> {
                assertThat(target.path("expr").asString())
                        .as(board.locate(panel))
                        .contains("instance=~\"$instance\"");
                assertThat(target.path("datasource").path("uid").asString()).isEqualTo("${datasource}");
            });
        }
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void alertsNameFaultAndRemedy(JsonNode alert) throws IOException {
        String name = alert.path("alert").asString();

        assertThat(alert.path("labels").path("severity").asString()).as(name).isIn("page", "ticket");
        assertThat(alert.path("annotations").path("summary").asString(""))
                .as(name)
                .endsWith(".");
        assertThat(alert.path("annotations").path("advice").asString(""))
                .as(name)
                .endsWith(".");
        assertThat(Files.readString(Path.of("../docs/observe.md"))).contains("\n| " + name + " | ");
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void alertsHaveTestsThatFireAndThatDoNot(JsonNode alert) {
        String name = alert.path("alert").asString();

        assertThat(DashboardFiles.alertTests().stream()
                        .filter(test -> test.path("alertname").asString().equals(name))
                        .map(test -> test.path("exp_alerts").isEmpty()))
                .as(name)
                .contains(true, false);
    }

    @Test
    void explainsAndTestsOnlyExistingAlerts() throws IOException {
        List<String> names =
                alerts().stream().map(alert -> alert.path("alert").asString()).toList();

        assertThat(names).doesNotHaveDuplicates();
        assertThat(DashboardFiles.alertTests())
                .allSatisfy(test ->
                        assertThat(names).contains(test.path("alertname").asString()));
        assertThat(Files.readString(Path.of("../docs/observe.md"))
                        .lines()
                        .filter(line -> line.startsWith("| Postern"))
                        .map(line -> line.split(" ", 3)[1]))
                .containsExactlyInAnyOrderElementsOf(names);
    }
}
