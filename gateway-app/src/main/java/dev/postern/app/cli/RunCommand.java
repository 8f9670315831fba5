package dev.postern.app.cli;

import dev.postern.app.Gateway;
import dev.postern.app.cli.option.ConfigSource;
import dev.postern.app.config.read.LoadedConfig;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command that runs the gateway until a signal ends it. */
@Command(
        name = "run",
        description =
                "Runs the gateway. SIGHUP: reload the configuration. SIGTERM, SIGINT (Ctrl-C): drain and stop; the second: stop at once.",
        footer = {
            "  postern run -c gateway.yaml",
            "  postern run -c gateway.yaml --set listeners.web.address=127.0.0.1:0",
            "  POSTERN_PRIVACY_PASS_LEDGER_STORE=memcached postern run -c gateway.yaml",
            "  kill -HUP PID    reloads file, variables and --set; on errors logs them and changes nothing"
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
