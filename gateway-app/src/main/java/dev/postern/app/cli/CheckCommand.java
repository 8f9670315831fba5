package dev.postern.app.cli;

import dev.postern.app.cli.check.ConnectivityCheck;
import dev.postern.app.cli.option.ConfigSource;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.read.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that reports every problem of a configuration. */
@Command(
        name = "check",
        description = "Reports all problems of a configuration, as file:line:column: key: value (expected: ...).",
        footer = {
            "  postern check -c gateway.yaml",
            "  postern check -c gateway.yaml --connect    also connects to stores, issuers and upstreams",
            "  postern check -c gateway.yaml --strict     fails on warnings too",
            "  postern check -c gateway.yaml --json"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private ConfigSource source;

    @Spec
    private CommandSpec spec;

    @Option(names = "--connect", description = "Also connect to stores, issuers and upstreams.")
    private boolean connect;

    @Option(names = "--strict", description = "Treat warnings as problems.")
    private boolean strict;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** Findings in the JSON form of the command. */
    private record Found(
            boolean good, List<Row> problems, List<Row> warnings, List<ConnectivityCheck.Tried> connections) {}

    private record Row(String source, int line, int column, String key, String text) {

        static Row of(Problem problem) {
            return new Row(
                    problem.at().source(), problem.at().line(), problem.at().column(), problem.key(), problem.text());
        }
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        LoadedConfig config;
        try {
            config = source.load();
        } catch (IOException e) {
            if (!json) {
                throw e;
            }
            Row unread = new Row(source.name(), 0, 0, "", String.valueOf(e.getMessage()));
            out.println(Json.text(new Found(false, List.of(unread), List.of(), List.of())));
            return 1;
        }
        List<ConnectivityCheck.Tried> tried =
                connect && config.good() ? new ConnectivityCheck(config).tryAll() : List.of();
        config = strict ? config.strict() : config;
        boolean good = config.good() && tried.stream().allMatch(ConnectivityCheck.Tried::reached);
        if (json) {
            out.println(Json.text(new Found(good, rows(config.problems()), rows(config.warnings()), tried)));
        } else {
            print(out, config, tried, good);
        }
        return good ? 0 : 1;
    }

    private static List<Row> rows(List<Problem> problems) {
        return problems.stream().map(Row::of).toList();
    }

    private static void print(PrintWriter out, LoadedConfig config, List<ConnectivityCheck.Tried> tried, boolean good) {
        config.problems().forEach(out::println);
        config.warnings().forEach(warning -> out.println("warning: " + warning));
        tried.forEach(t ->
                out.println(t.reached() ? "reached: " + t.what() : "not reached: " + t.what() + ": " + t.reason()));
        int problems = config.problems().size();
        out.println(
                good
                        ? "good"
                        : problems > 0 ? problems + (problems == 1 ? " problem" : " problems") : "not all reached");
    }
}
