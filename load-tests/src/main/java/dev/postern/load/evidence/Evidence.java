package dev.postern.load.evidence;

import dev.postern.load.measure.Machine;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.internal.chartpart.Chart;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Evidence of an experiment: the table of its figures with goals and verdicts, the values behind the charts, and the
 * charts.
 *
 * @param name name of the command in {@code load-tests/experiments} and of the page in {@code docs/evidence}
 * @param command the command with the options of this run
 * @param data values of the run that Jackson can write, by name; records, lists and maps
 */
public record Evidence(
        String name, String command, Table table, Map<String, ?> data, List<? extends Chart<?, ?>> charts) {
    public static final Path FOLDER = Path.of("load-tests", "target", "experiments");

    /** Returns the evidence of the experiment that picocli has called, with the options that it was called with. */
    public static Evidence of(CommandSpec spec, Table table, Map<String, ?> data, List<? extends Chart<?, ?>> charts) {
        String arguments = String.join(" ", spec.commandLine().getParseResult().originalArgs());
        return new Evidence(spec.name(), "load-tests/experiments/" + arguments, table, data, charts);
    }

    /**
     * Writes {@code NAME.json}, {@code NAME-table.md}, {@code NAME.svg} and {@code NAME.png}, and prints the table.
     *
     * @return the exit status: 0 if every goal is met, otherwise 1
     */
    public int publish() {
        return publish(FOLDER, LocalDate.now(), Machine.current());
    }

    /** Writes the same files into this folder, and prints nothing. */
    public void write(Path folder) {
        write(folder, LocalDate.now(), Machine.current());
    }

    int publish(Path folder, LocalDate date, Machine machine) {
        System.out.println(write(folder, date, machine));
        Progress.say("written: " + folder.resolve(name) + ".json, .svg, .png and " + name + "-table.md");
        return table.status();
    }

    private String write(Path folder, LocalDate date, Machine machine) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("command", command);
        json.put("date", date.toString());
        json.put("machine", machine);
        json.put("figures", table.rows());
        json.putAll(data);
        String head = "Command: `" + command + "`. Machine: " + machine + ". Date: " + date + ".\n\n";
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(name + "-table.md"), head + table);
            JsonMapper mapper = JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build();
            Files.writeString(folder.resolve(name + ".json"), mapper.writeValueAsString(json) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(folder.resolve(name) + ": can't be written", e);
        }
        ChartFile.write(folder, name, charts);
        return head + table;
    }
}
