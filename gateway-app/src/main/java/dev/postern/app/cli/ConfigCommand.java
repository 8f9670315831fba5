package dev.postern.app.cli;

import dev.postern.app.cli.option.ConfigSource;
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

/** Command group for configurations. */
@Command(
        name = "config",
        description = "Shows configurations.",
        subcommands = ConfigCommand.Show.class,
        footer = "  postern config show -c gateway.yaml")
final class ConfigCommand {

    private static final int WIDEST = 60;

    /** Command that prints every effective value. */
    @Command(
            name = "show",
            description = "Prints the effective configuration and the origin of each value; secrets are masked.",
            footer = {"  postern config show -c gateway.yaml", "  postern config show -c gateway.yaml --given --json"})
    @SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
    static final class Show implements Callable<Integer> {

        @Mixin
        private ConfigSource source;

        @Spec
        private CommandSpec spec;

        @Option(names = "--given", description = "Omit default values.")
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
