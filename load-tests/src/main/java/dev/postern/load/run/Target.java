package dev.postern.load.run;

import dev.postern.load.measure.Table;
import dev.postern.load.plan.Parameter;
import dev.postern.load.plan.Settings;
import dev.postern.load.plan.Simulation;
import dev.postern.load.run.OtherInstallation.Addresses;
import dev.postern.load.run.OtherInstallation.Mint;
import dev.postern.load.server.Ports;
import dev.postern.load.server.RunFolder;
import dev.postern.load.worker.EchoDestination;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Target of a run: servers that it starts, or a gateway that runs already.
 *
 * @param url of the gateway; null: the run starts all servers
 * @param metrics null: the gateway's own figures are left out
 * @param tokenFile null: tokens are minted
 * @param mintOptions of {@code postern mint}
 */
record Target(
        @Nullable URI url, @Nullable URI metrics, @Nullable Path tokenFile, List<String> mintOptions) {
    static final Target OWN = new Target(null, null, null, List.of());

    /**
     * Runs one simulation.
     *
     * @param tokens to spend; 0: as many as the settings need
     */
    Table run(RunFolder folder, Simulation simulation, Settings settings, int tokens) {
        if (simulation.redeems()) {
            int count = tokens > 0 ? tokens : simulation.tokens(settings);
            return new TokenRun(folder, settings, tokens(folder, simulation, settings)).run(simulation, count);
        }
        Map<Parameter, String> own = new EnumMap<>(Parameter.class);
        if (tokenFile != null) {
            own.put(Parameter.TOKEN_FILE, tokenFile.toAbsolutePath().toString());
        }
        Installation installation =
                url == null ? started(folder, simulation, settings, own) : running(url, folder, settings);
        return new VisitRun(folder, settings, installation).run(simulation, own);
    }

    private TokenInstallation tokens(RunFolder folder, Simulation simulation, Settings settings) {
        if (url != null) {
            return running(url, folder, settings);
        }
        return simulation == Simulation.Soak ? OwnInstallation.startResident(folder) : OwnInstallation.start(folder);
    }

    private OtherInstallation running(URI gateway, RunFolder folder, Settings settings) {
        return new OtherInstallation(
                folder,
                new Addresses(gateway, metrics),
                new Mint(settings.text(Parameter.PATH), tokenFile, mintOptions));
    }

    /** Starts servers without tokens, and adds the parameters that describe them. */
    private static Installation started(
            RunFolder folder, Simulation simulation, Settings settings, Map<Parameter, String> own) {
        if (simulation.tunnels()) {
            int echo = Ports.free();
            EchoDestination.start(echo);
            own.put(Parameter.DESTINATION, "127.0.0.1:" + echo);
            StartedGateway gateway = StartedGateway.forTunnels(folder);
            gateway.openTunnels(echo);
            return gateway;
        }
        return StartedGateway.withRoom(folder, settings.number(Parameter.ACTIVE));
    }
}
