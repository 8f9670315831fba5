package dev.postern.app.cli;

import dev.postern.app.cli.option.WrongArgument;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command group for secrets. */
@Command(
        name = "secret",
        description = "Creates secrets, and rotates a key ring in three steps: add, promote, retire.",
        subcommands = SecretCommand.New.class,
        footer = {"  (umask 077; postern secret new > ring)", "  postern secret add ring"})
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class SecretCommand {

    private static final String STEP = "Reload the replicas one at a time";

    @Spec
    private CommandSpec spec;

    @Command(
            name = "add",
            description =
                    "Appends a new line, which verifies only: no replica may sign with a line before all replicas have it.",
            footer = "  postern secret add ring")
    int add(@Parameters(paramLabel = "FILE", description = "The file of secrets.ring-file.") Path file) {
        return change(file, RingFile::add, STEP + ", then: postern secret promote " + file);
    }

    @Command(
            name = "promote",
            description = "Moves the last line to the top, so that it signs.",
            footer = "  postern secret promote ring")
    int promote(@Parameters(paramLabel = "FILE", description = "The file of secrets.ring-file.") Path file) {
        return change(
                file,
                RingFile::promote,
                STEP + ". After twice privacy-pass.challenge-window, session.lifetime and pass (the longest of these):"
                        + " postern secret retire " + file);
    }

    @Command(
            name = "retire",
            description = "Removes the last line: what it signed is refused.",
            footer = "  postern secret retire ring")
    int retire(@Parameters(paramLabel = "FILE", description = "The file of secrets.ring-file.") Path file) {
        return change(file, RingFile::retire, STEP + ".");
    }

    private int change(Path file, Consumer<RingFile> step, String next) {
        RingFile ring;
        try {
            ring = RingFile.read(file);
            step.accept(ring);
            ring.write();
        } catch (IOException e) {
            throw new WrongArgument(file + ": " + FailureText.of(e)
                    + " (expected: a ring file that can be read and replaced, as postern secret new > " + file
                    + " makes it)");
        } catch (IllegalArgumentException e) {
            throw new WrongArgument(String.valueOf(e.getMessage()));
        }
        PrintWriter out = spec.commandLine().getOut();
        List<String> fingerprints = ring.fingerprints();
        for (int i = 0; i < fingerprints.size(); i++) {
            out.println(fingerprints.get(i) + (i == 0 ? "  signs" : "  verifies"));
        }
        out.println(next);
        return 0;
    }

    /** Command that prints a new line for a ring file. */
    @Command(
            name = "new",
            description =
                    "Prints a new ring line: base64 of 32 random bytes. The first line of a ring signs, all verify.",
            footer = "  (umask 077; postern secret new > ring)")
    @SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
    static final class New implements Callable<Integer> {

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            spec.commandLine().getOut().println(KeyRing.newLine());
            return 0;
        }
    }
}
