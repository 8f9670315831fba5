package dev.postern.app.cli;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.LoadedConfig;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the gateway until a signal ends it. */
@Command(
        name = "run",
        description =
                "The gateway. SIGHUP takes up a changed configuration; SIGTERM and SIGINT (Ctrl-C) drain and end it, twice at once.",
        footer = {
            "  postern run -c gateway.yaml",
            "  postern run -c gateway.yaml --set listeners.web.address=127.0.0.1:0",
            "  POSTERN_PRIVACY_PASS_LEDGER_STORE=memcached postern run -c gateway.yaml",
            "  kill -HUP PID    reads file, variables and --set again; what is wrong with them stands in the log, and nothing changes"
        })
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class RunCommand implements Callable<Integer> {

    @Mixin
    private ConfigSource source;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Signals.ignoreHangUp();
        LoadedConfig config = source.load();
        if (!config.good()) {
            config.problems().forEach(spec.commandLine().getErr()::println);
            return 1;
        }
        Gateway gateway = Gateway.start(config, source::load);
        Signals.onHangUp(gateway::reload);
        Signals.onEnd(gateway::waitsFor, gateway::drain, spec.commandLine().getErr()::println);
        new CountDownLatch(1).await();
        return 0;
    }
}
