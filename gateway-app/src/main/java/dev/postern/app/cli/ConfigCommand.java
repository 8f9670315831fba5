package dev.postern.app.cli;

import dev.postern.app.config.read.LoadedConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Commands about configurations. */
@Command(
        name = "config",
        description = "Shows configurations.",
        subcommands = ConfigCommand.Show.class,
        footer = "  postern config show -c gateway.yaml")
final class ConfigCommand {

    private static final int WIDEST = 60;

    /** Prints every value in force. */
    @Command(
            name = "show",
            description = "The effective configuration and where each value comes from; secrets are masked.",
            footer = {"  postern config show -c gateway.yaml", "  postern config show -c gateway.yaml --given --json"})
    @SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
    static final class Show implements Callable<Integer> {

        @Mixin
        private ConfigSource source;

        @Spec
        private CommandSpec spec;

        @Option(names = "--given", description = "Leave out what is default.")
        private boolean given;

        @Option(names = "--json", description = "Print JSON.")
        private boolean json;

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            LoadedConfig config = source.load();
            config.problems().forEach(spec.commandLine().getErr()::println);
            if (json) {
                Map<String, Object> all = new LinkedHashMap<>();
                config.effective().stream()
                        .filter(this::wanted)
                        .forEach(value -> all.put(
                                value.key(),
                                Map.of(
                                        "value",
                                        value.value(),
                                        "origin",
                                        value.provenance().toString())));
                out.println(Json.text(all));
            } else {
                config.effective().stream()
                        .filter(this::wanted)
                        .forEach(value ->
                                out.println(pad(value.key() + ": " + value.value()) + "  # " + value.provenance()));
            }
            return config.good() ? 0 : 1;
        }

        private boolean wanted(LoadedConfig.Effective value) {
            return !given || !value.provenance().toString().equals("default");
        }

        private static String pad(String text) {
            return text + " ".repeat(Math.max(0, WIDEST - text.length()));
        }
    }
}
