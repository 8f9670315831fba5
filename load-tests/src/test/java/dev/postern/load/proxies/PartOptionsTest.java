package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Table;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PartOptionsTest {
    private final PartOptions options = new PartOptions(1, 1, 1);
    private final Part met = part("met", table -> table.goal("figure", 1, Goal.atMost(1)));
    private final Part missed = part("missed", table -> table.goal("figure", 2, Goal.atMost(1)));
    private final Part failed = part("failed", table -> {
        throw new IllegalStateException("no nginx");
    });

    @Test
    void exitStatusSaysWhetherAllGoalsAreMet() {
        assertThat(options.measure(List.of(met))).isZero();
        assertThat(options.measure(List.of(met, missed))).isEqualTo(1);
    }

    @Test
    void exitStatusSaysWhetherAnythingCouldBeMeasured() {
        assertThat(options.measure(List.of(met, failed))).isEqualTo(1);
        assertThat(options.measure(List.of(failed))).isEqualTo(2);
    }

    @Test
    void measuresTheChosenPartsOnly() {
        options.only = List.of("met");

        assertThat(options.measure(List.of(met, missed, failed))).isZero();
    }

    @Test
    void refusesUnknownParts() {
        StringWriter errors = new StringWriter();
        CommandLine tunnels = new CommandLine(new TunnelsBench()).setErr(new PrintWriter(errors));

        assertThat(tunnels.execute("--only", "nothing")).isEqualTo(2);

        assertThat(errors.toString()).contains("--only: nothing (expected: some of [");
    }

    private static Part part(String name, Consumer<Table> rows) {
        return new Part() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String title() {
                return name;
            }

            @Override
            public void measure(Pace pace, Table table) {
                rows.accept(table);
            }
        };
    }
}
