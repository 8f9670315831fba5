package dev.postern.app.cli;

import dev.postern.app.demo.Demo;
import dev.postern.app.demo.StepLog;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that runs issuer, sample site and gateway in one process. */
@Command(
        name = "demo",
        description = "Runs issuer, sample site and gateway in one process on loopback; prints commands to try.",
        footer = {"  postern demo", "  postern demo --once    shows each step of a token's life and ends"})
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--once", description = "Show each step and end; exit code 1 when any of them failed.")
    private boolean once;

    @Option(names = "--json", description = "With --once: print the steps as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Demo.Wish wish =
                once ? Demo.Wish.once() : Demo.Wish.toStay(spec.commandLine().getOut()::println);
        try (Demo demo = Demo.start(wish)) {
            if (!once) {
                demo.whatToTry().forEach(spec.commandLine().getOut()::println);
                Signals.onEnd(() -> "ends", demo::close, spec.commandLine().getErr()::println);
                new CountDownLatch(1).await();
            }
            StepLog log = demo.once(
                    json ? step -> {} : step -> spec.commandLine().getOut().println(step));
            if (json) {
                spec.commandLine().getOut().println(Json.text(log.steps()));
            } else {
                spec.commandLine().getOut().println(log.verdict());
            }
            return log.good() ? 0 : 1;
        }
    }
}
