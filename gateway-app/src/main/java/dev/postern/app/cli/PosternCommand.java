package dev.postern.app.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.app.Version;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The program: its commands and how their failures are told. */
@Command(
        name = "postern",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = PosternCommand.Versions.class,
        description = "The gateway that lets people through without asking who they are.",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it went well",
            "1:it did not; the reason stands on standard error",
            "2:the command line is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  postern demo                      everything in one process, and what to try",
            "  postern check -c gateway.yaml     every mistake of a configuration",
            "  postern run -c gateway.yaml       the gateway"
        },
        subcommands = {
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
            RehearseCommand.class,
            ContextCommand.class
        })
public final class PosternCommand {

    private PosternCommand() {}

    /** Does what the arguments say and returns the exit code. */
    public static int execute(String... args) {
        return execute(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args);
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new PosternCommand());
        line.setOut(out);
        line.setErr(err);
        line.setExecutionStrategy(new CommandLine.RunLast());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            command.getErr().println("postern: " + reason(failure));
            return 1;
        });
        line.setUsageHelpAutoWidth(true);
        return args.length == 0 ? usage(line) : line.execute(args);
    }

    private static int usage(CommandLine line) {
        line.usage(line.getErr());
        return CommandLine.ExitCode.USAGE;
    }

    private static String reason(Exception failure) {
        boolean expected = failure instanceof IOException
                || failure instanceof IllegalStateException
                || failure instanceof IllegalArgumentException;
        String message = failure.getMessage();
        return expected && message != null ? message : failure.toString();
    }

    /** What {@code --version} prints. */
    static final class Versions implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[] {"postern " + Version.OURS, "java " + Runtime.version()};
        }
    }
}
