package dev.postern.app.cli;

import dev.postern.app.config.read.Loaded;
import dev.postern.app.config.read.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells every problem of a configuration. */
@Command(
        name = "check",
        description = "Every problem of a configuration at once, as file:line:column: key: value (expected: ...).",
        footer = {
            "  postern check -c gateway.yaml",
            "  postern check -c gateway.yaml --connect    also tries stores, issuers and upstreams",
            "  postern check -c gateway.yaml --json"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class CheckCommand implements Callable<Integer> {

    @Mixin
    private ConfigSource source;

    @Spec
    private CommandSpec spec;

    @Option(names = "--connect", description = "Also try stores, issuers and upstreams.")
    private boolean connect;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Loaded loaded = source.load();
        List<Reach.Tried> tried = connect && loaded.good() ? new Reach(loaded).tryAll() : List.of();
        boolean good = loaded.good() && tried.stream().allMatch(Reach.Tried::reached);
        if (json) {
            out.println(Json.text(Map.of(
                    "good",
                    good,
                    "problems",
                    loaded.problems().stream().map(CheckCommand::fields).toList(),
                    "warnings",
                    loaded.warnings().stream().map(CheckCommand::fields).toList(),
                    "connections",
                    tried)));
            return good ? 0 : 1;
        }
        loaded.problems().forEach(out::println);
        loaded.warnings().forEach(warning -> out.println("warning: " + warning));
        tried.forEach(t -> out.println((t.reached() ? "reached: " : "not reached: ") + t.what() + t.detail()));
        int problems = loaded.problems().size();
        out.println(
                good
                        ? "good"
                        : problems > 0 ? problems + (problems == 1 ? " problem" : " problems") : "not all reached");
        return good ? 0 : 1;
    }

    private static Map<String, Object> fields(Problem problem) {
        return Map.of(
                "source", problem.at().source(),
                "line", problem.at().line(),
                "column", problem.at().column(),
                "key", problem.key(),
                "text", problem.text());
    }
}
