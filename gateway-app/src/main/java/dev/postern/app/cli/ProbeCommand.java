package dev.postern.app.cli;

import dev.postern.app.cli.option.AdminAddress;
import dev.postern.app.client.ClientResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command that asks a running gateway for its readiness; the health check of the image. */
@Command(
        name = "probe",
        description = "Asks a running gateway whether it is ready (or live, or started); exit code 0 when it is.",
        footer = {"  postern probe", "  postern probe --live --admin 127.0.0.1:9180"})
@SuppressWarnings("NullAway.Init") // picocli sets what it injects before the command runs
final class ProbeCommand implements Callable<Integer> {

    @Mixin
    private AdminAddress admin;

    @Spec
    private CommandSpec spec;

    @Option(names = "--live", description = "Ask whether it is live.")
    private boolean live;

    @Option(names = "--started", description = "Ask whether it has started.")
    private boolean started;

    @Option(names = "--json", description = "Print the gateway's whole response.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClientResponse response = admin.get(live ? "/livez" : started ? "/startupz" : "/readyz");
        boolean good = response.status() == 200;
        String subject = live ? "live" : started ? "started" : "ready";
        spec.commandLine().getOut().println(json ? response.body().trim() : good ? subject : "not " + subject);
        return good ? 0 : 1;
    }
}
