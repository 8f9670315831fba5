package dev.postern.app.cli;

import dev.postern.core.crypto.KeyRing;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command group for secrets. */
@Command(
        name = "secret",
        description = "Creates secrets.",
        subcommands = SecretCommand.New.class,
        footer = "  postern secret new > ring")
final class SecretCommand {

    /** Command that prints a new line for a ring file. */
    @Command(
            name = "new",
            description =
                    "Prints a new line for secrets.ring-file: base64 of 32 random bytes. Put the newest line first in that file.",
            footer = {
                "  (umask 077; postern secret new > ring)",
                "  (umask 077; postern secret new | cat - ring > ring.next)"
            })
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
