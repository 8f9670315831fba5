package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that {@code docs/load-tests.md} matches the simulations. */
class LoadTestsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "load-tests.md");

    @Test
    void listsEachParameterAsTheProgramHasIt() throws IOException {
        String table = Files.readString(PAGE).split("## Parameters\n", 2)[1].split("\n## ", 2)[0];

        assertThat(table.lines().filter(line -> line.startsWith("| `")))
                .containsExactlyElementsOf(
                        Arrays.stream(Parameter.values()).map(Parameter::row).toList());
    }

    @ParameterizedTest
    @EnumSource
    void listsEachSimulation(Simulation simulation) throws IOException {
        assertThat(Files.readString(PAGE)).contains("\n| `" + simulation.name() + "` | ");
    }
}
