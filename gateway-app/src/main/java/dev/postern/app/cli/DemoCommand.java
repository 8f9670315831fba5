package dev.postern.app.cli;

import dev.postern.app.cli.option.WrongArgument;
import dev.postern.app.demo.Demo;
import dev.postern.app.demo.DemoPorts;
import dev.postern.app.demo.StepLog;
import java.io.IOException;
import java.net.BindException;
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
        footer = {
            "  postern demo",
            "  postern demo --port-base 20000    listens on 20000 to 20007",
            "  postern demo --once               shows each step of a token's life and ends"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--once", description = "Show each step and end; exit code 1 when any of them failed.")
    private boolean once;

    @Option(names = "--json", description = "With --once: print the steps as JSON.")
    private boolean json;

    @Option(
            names = "--port-base",
            paramLabel = "N",
            description = "First of eight ports that follow each other: site behind the gateway, forward proxy, admin"
                    + " address, site itself, issuer, UDP echo, questions of another proxy, that proxy. Without it: the usual ports, or free ones where these are"
                    + " in use.")
    private int portBase;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Demo.Wish wish = once
                ? Demo.Wish.once(ports())
                : Demo.Wish.toStay(ports(), spec.commandLine().getOut()::println);
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

    private DemoPorts ports() {
        if (!spec.commandLine().getParseResult().hasMatchedOption("--port-base")) {
            return once ? DemoPorts.any() : DemoPorts.usual();
        }
        if (portBase < 1 || portBase > DemoPorts.MAX_BASE) {
            throw new WrongArgument("--port-base: " + portBase + " (expected: 1.." + DemoPorts.MAX_BASE + ")");
        }
        try {
            return DemoPorts.from(portBase);
        } catch (BindException e) {
            throw new WrongArgument("--port-base: " + e.getMessage());
        }
    }
}
