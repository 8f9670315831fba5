package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.Version;
import dev.postern.app.cli.option.WrongArgument;
import dev.postern.app.config.type.Mask;
import dev.postern.core.transport.FailureText;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** Root command: lists the subcommands and reports their failures. */
@Command(
        name = "postern",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = PosternCommand.Versions.class,
        description =
                "Gateway that admits requests with Privacy Pass tokens and does not identify the people behind them.",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:failure; the reason is on standard error", "2:invalid command line"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  postern demo                      issuer, site and gateway in one process",
            "  postern init                      writes a first configuration",
            "  postern check -c gateway.yaml     reports all problems of a configuration",
            "  postern run -c gateway.yaml       runs the gateway"
        },
        subcommands = {
            InitCommand.class,
            RunCommand.class,
            CheckCommand.class,
            ConfigCommand.class,
            IssuerCommand.class,
            FetchCommand.class,
            MintCommand.class,
            DemoCommand.class,
            SecretCommand.class,
            ProbeCommand.class,
            SizeCommand.class,
            ContextCommand.class
        })
final class PosternCommand {

    private PosternCommand() {}

    /** Runs the command of the arguments and returns the exit code. */
    public static int execute(String... args) {
        return execute(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args);
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        boolean json = List.of(args).contains("--json");
        CommandLine line = new CommandLine(new PosternCommand());
        line.setOut(out);
        line.setErr(err);
        line.setExecutionStrategy(new CommandLine.RunLast());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return report(command, json, reason(failure), failure instanceof WrongArgument ? 2 : 1);
        });
        line.setParameterExceptionHandler((failure, given) -> {
            CommandLine command = failure.getCommandLine();
            int code = report(command, json, String.valueOf(failure.getMessage()), CommandLine.ExitCode.USAGE);
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
                command.usage(command.getErr());
            }
            return code;
        });
        line.setUsageHelpAutoWidth(true);
        return args.length == 0 ? usage(line) : line.execute(args);
    }

    /** Prints the reason of a failure on standard error and, with {@code --json}, as JSON on standard output. Returns the exit code. */
    private static int report(CommandLine command, boolean json, String reason, int code) {
        String masked = Mask.message(reason);
        command.getErr().println("postern: " + masked);
        if (json) {
            command.getOut().println(Json.text(Map.of("good", false, "error", masked)));
        }
        return code;
    }

    private static int usage(CommandLine line) {
        line.usage(line.getErr());
        return CommandLine.ExitCode.USAGE;
    }

    private static String reason(Exception failure) {
        String text = FailureText.of(failure);
        return failure instanceof FileSystemException about
                        && about.getFile() != null
                        && !text.contains(about.getFile())
                ? about.getFile() + ": " + text
                : text;
    }

    /** Versions that {@code --version} prints. */
    static final class Versions implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[] {"postern " + Version.OURS, Version.COMMIT, "java " + Runtime.version()};
        }
    }
}
